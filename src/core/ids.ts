// Branded ids: a session id cannot be passed where a call id is meant.
type Brand<Name extends string> = string & { readonly __id: Name };

/** One session: `agent-<uuid>`. The lead's session id also names its tree. */
export type SessionId = Brand<"session">;
/** One execution within a session; a resumed session gets a new one. */
export type RunId = Brand<"run">;
/** One tool call: as the provider named it, or, where that name was used before in the session, by a name of our own. */
export type CallId = Brand<"call">;
/** One message waiting in, or promoted from, a session's mailbox. */
export type InputId = Brand<"input">;
/** One thing that waits in the inbox: the same for the same call, also after a crash. */
export type ItemId = Brand<"item">;
/** `ROOT`, `ROOT::S1`, `ROOT::S1::S2`. */
export type AgentPath = Brand<"path">;

export const ROOT = "ROOT" as AgentPath;

export const sessionId = (uuid: string): SessionId => `agent-${uuid}` as SessionId;
export const isSessionId = (text: string): text is SessionId => /^agent-[0-9a-f-]{36}$/.test(text);
export const runId = (uuid: string): RunId => `run-${uuid}` as RunId;
export const inputId = (uuid: string): InputId => `input-${uuid}` as InputId;
/** The agent itself, or one below it. */
export const isWithin = (above: AgentPath, path: AgentPath): boolean => path === above || path.startsWith(`${above}::`);
export const childPath = (parent: AgentPath, n: number): AgentPath => `${parent}::S${n}` as AgentPath;
