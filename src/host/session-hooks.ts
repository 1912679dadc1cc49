// The hooks of one open session: made from what is configured, told when it starts and ends and when something waits
// for a person, and kept from hanging it.
import { systemClock, systemRandom } from "../adapters/clock/system-clock.ts";
import { viewFile } from "../adapters/log/layout.ts";
import type { StreamEvent } from "../core/events.ts";
import { type FunctionHooks, type HookSet, joinSets } from "../core/hooks/hook-set.ts";
import { functionHooks } from "../core/hooks/function-hooks.ts";
import { type HookPlace, placeOf } from "../core/hooks/hook-input.ts";
import { text } from "../core/messages.ts";
import { type Hooks, createHooks } from "../engine/hooks/hooks.ts";
import { admit } from "../engine/sessions/mailbox.ts";
import type { Processes } from "../ports/processes.ts";
import { HostError } from "./host-error.ts";
import type { OpenSession } from "./open-session.ts";
import type { Project } from "./project.ts";
import { withWatchedScripts } from "./script-watch.ts";

export type SessionHooksOptions = {
  readonly session: OpenSession;
  readonly project: Project;
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the program that embeds us. */
  readonly functions: HookSet;
  notice(words: string): void;
};

export type SessionHooks = {
  readonly hooks: Hooks;
  /** SessionStart, at the first run; what it adds waits in the lead's mailbox. */
  begin(source: "startup" | "resume", model: string): Promise<void>;
  /** SessionEnd; afterwards no hook runs any more. */
  end(reason: string): Promise<void>;
};

const never = new AbortController().signal;
const MESSAGE_CHARS = 500;

export function openSessionHooks(options: SessionHooksOptions): SessionHooks {
  const { session, project, notice } = options;
  const { writer, origin } = session;
  let begun = false;
  let ending = false;
  const hooks = createHooks({
    base: joinSets([project.hooks, options.functions]),
    processes: withWatchedScripts(options.processes, project.scripts),
    clock: systemClock,
    env: { ...defined(options.env), SOUS_PROJECT_DIR: project.root, CLAUDE_PROJECT_DIR: project.root },
    tree: origin.session,
    transcriptOf: (path) => viewFile(session.folder, path),
    async note(place, words) {
      // The record of a session ends with the end of its last run.
      if (ending) return notice(words);
      await writer
        .record(place.toldTo ?? place.origin, { type: "note.added", kind: "hook", text: words }, never)
        .catch(() => notice(words));
    },
  });
  const lead = (): HookPlace | undefined => {
    const state = writer.state.sessions.get(origin.session);
    return state && placeOf(state, writer.state.mode);
  };

  writer.subscribe((event) => {
    const waits = waitsForPerson(event);
    const state = waits && writer.state.sessions.get(event.session);
    if (!state || !hooks.hears("Notification", state.path)) return;
    // Beside the run: who is told that something waits must not make it wait longer.
    void hooks.fire("Notification", placeOf(state, writer.state.mode), waits, never).catch(() => {});
  });

  return {
    hooks,
    async begin(source, model) {
      const place = lead();
      if (begun || !place || !hooks.hears("SessionStart", origin.path)) return void (begun = true);
      begun = true;
      const { context } = await hooks.fire("SessionStart", place, { source, model }, never);
      if (context.length === 0) return;
      const content = [text(`[hook at the start] ${context.join("\n")}`)];
      await admit(writer, origin, { from: "system", how: "steer", content }, systemRandom, never);
    },
    async end(reason) {
      ending = true;
      const place = lead();
      if (begun && place) await hooks.fire("SessionEnd", place, { reason }, never);
      await hooks.close();
    },
  };
}

export function mustBeHooks(hooks: FunctionHooks = {}): HookSet {
  const set = functionHooks(hooks);
  if ("problem" in set) throw new HostError(`hooks: ${String(set.problem)}`);
  return set;
}

type Notice = { readonly message: string; readonly notification_type: string };

function waitsForPerson(event: StreamEvent): Notice | undefined {
  switch (event.type) {
    case "item.added":
      if (event.kind === "approval")
        return { message: `${event.path} asks to use ${event.approval.tool}`, notification_type: "permission_prompt" };
      if (event.kind === "question" && event.to === "parent") return undefined;
      return { message: `${event.path}: ${event.text}`.slice(0, MESSAGE_CHARS), notification_type: event.kind };
    case "run.parked":
    case "run.paused":
      return { message: `${event.path} waits: ${event.why}`, notification_type: event.type.slice("run.".length) };
    default:
      return undefined;
  }
}

const defined = (env: SessionHooksOptions["env"]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
