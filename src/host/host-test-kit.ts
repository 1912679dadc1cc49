// A host on real files and a scripted wire server, in this process: what a run sends and does, without a command between.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { RunResult } from "../core/run-result.ts";
import { type TempDir, tempDir } from "../testing/memory/temp-dir.ts";
import type { Step } from "../testing/wire-server/step.ts";
import { call, callsAll, responder, says } from "../testing/wire-server/script.ts";
import { type WireServer, startWireServer } from "../testing/wire-server/start-wire-server.ts";
import type { WireRequest } from "../testing/wire-server/wire-request.ts";
import { createHost } from "./host.ts";
import type { RunOptions } from "./conversation.ts";

export type Lab = AsyncDisposable & {
  readonly dir: TempDir;
  readonly server: WireServer;
  readonly project: string;
  readonly home: string;
  write(files: Readonly<Record<string, string>>): void;
  /** `anyModel`: none is asked for. */
  run(prompt: string | undefined, options?: Partial<RunOptions> & { readonly anyModel?: true }): Promise<LabRun>;
};
export type LabRun = { readonly result: RunResult; readonly notices: readonly string[] };

export type Scripts = Readonly<Record<string, readonly Step[]>>;
export type Folders = { readonly project: string; readonly home: string };

/** Each conversation is answered by the script whose name stands in its first message. Files are below the lab's folder. */
export async function lab(
  given: Scripts | ((folders: Folders) => Scripts),
  files: Readonly<Record<string, string>> = {},
): Promise<Lab> {
  const dir = await tempDir();
  const [project, home] = [dir.join("project"), dir.join("home")];
  const scripts = typeof given === "function" ? given({ project, home }) : given;
  const server = await startWireServer(
    responder((request) => {
      const task = Object.keys(scripts).find((name) => firstMessage(request).includes(name));
      return task === undefined ? undefined : scripts[task]?.[Math.min(request.turn, scripts[task].length) - 1];
    }),
  );
  const write = (wanted: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(wanted)) {
      mkdirSync(dirname(dir.join(path)), { recursive: true });
      writeFileSync(dir.join(path), text);
    }
  };
  write({ "project/.keep": "", "home/.keep": "", ...files });
  return {
    dir,
    server,
    project,
    home,
    write,
    async run(prompt, { anyModel, ...options } = {}) {
      const notices: string[] = [];
      const host = createHost({ env: { ...server.env, HOME: home }, version: "0", stateDir: dir.join("state") });
      const live = await host.run(
        {
          cwd: project,
          ...(!anyModel && { model: "anthropic/x" }),
          limits: {},
          budget: {},
          rules: { allow: [], ask: [], deny: [] },
          addDirs: [],
          trust: true,
          trigger: "test",
          ...(prompt !== undefined && { prompt }),
          ...options,
        },
        { notice: (words) => notices.push(words) },
      );
      return { result: await live.result, notices };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** A lead that hands each task to its agent, all at once, and ends. */
export const handsOut = (...tasks: readonly (readonly [task: string, agent: string])[]): readonly Step[] => [
  callsAll(...tasks.map(([prompt, agent]) => call("spawn_subagent", { prompt, agent }))),
  says("done"),
];

export const requestsOf = (server: WireServer, task: string): readonly WireRequest[] =>
  server.requests.filter((request) => firstMessage(request).includes(task));

export const systemOf = (request: WireRequest | undefined): string => {
  const { system } = (request?.body ?? {}) as { system?: string | { text: string }[] };
  return typeof system === "string" ? system : (system ?? []).map(({ text }) => text).join("\n");
};

/** Without those that every child has. */
export const toolsOf = (request: WireRequest | undefined): string[] =>
  ((request?.body as { tools?: { name: string }[] })?.tools ?? [])
    .map(({ name }) => name)
    .filter((name) => !name.endsWith("_parent"));

const firstMessage = (request: WireRequest): string =>
  JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
