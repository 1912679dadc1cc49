// The commands: what the entry starts, what help and completions list. A command's code is loaded only when it is used.
import type { FlagTable } from "./flags.ts";

export type Command = {
  readonly usage?: string;
  readonly help: string;
  readonly verbs?: readonly string[];
  /** How many words it takes beside its flags: of the command, or after each verb. What is more is refused. */
  readonly most: number | Readonly<Record<string, number>>;
  /** What its words are, for completion: of the command, or of each verb. */
  readonly words?: Words | Readonly<Record<string, Words>>;
  load(): Promise<{ readonly start: Start; readonly flags: FlagTable }>;
};
/** One after the other, the last for all that follow: what is looked up, or the words themselves. */
export type Words = readonly (WordKind | readonly string[])[];
export type WordKind = "sessions" | "agents" | "models" | "items" | "folders" | "files";
export type Start = (words: readonly string[], version: string) => Promise<number>;

/** A list of any length, or words of a person. */
const ANY = Infinity;

export const commands: Readonly<Record<string, Command>> = {
  run: {
    usage: "[PROMPT|-]",
    help: "one prompt, headless; standard input is added to it, or is all of it",
    most: ANY,
    async load() {
      const [{ run }, { runFlags }] = await Promise.all([import("./run.ts"), import("./run-flags.ts")]);
      return { start: run, flags: runFlags };
    },
  },
  "--plain": {
    usage: "[PROMPT]",
    help: "a conversation, line by line",
    most: ANY,
    async load() {
      const [{ plain }, { plainFlags }] = await Promise.all([import("./plain.ts"), import("./run-flags.ts")]);
      return { start: plain, flags: plainFlags };
    },
  },
  tour: {
    help: "a lead and three children show this folder, without a key",
    most: 0,
    async load() {
      const { tour, tourFlags } = await import("./tour.ts");
      return { start: tour, flags: tourFlags };
    },
  },
  sessions: {
    usage: "[VERB]",
    help: "list, search, show, tree, export, rm: what was done, all of it",
    verbs: ["list", "search", "show", "tree", "export", "rm"],
    most: { list: 0, search: ANY, show: 1, tree: 1, export: 1, rm: ANY },
    words: ["sessions"],
    async load() {
      const { sessions, sessionsFlags } = await import("./sessions.ts");
      return { start: sessions, flags: sessionsFlags };
    },
  },
  inbox: {
    usage: "[VERB]",
    help: "list, answer: what waits for you, in any run",
    verbs: ["list", "answer"],
    most: { list: 0, answer: ANY },
    words: { answer: ["items", ["yes", "always", "no"]] },
    load: async () => (await import("./inbox.ts")).inbox,
  },
  agents: {
    usage: "[VERB]",
    help: "list, show, check, import: the agents there are",
    verbs: ["list", "show", "check", "import"],
    most: { list: 0, show: 1, check: ANY, import: ANY },
    words: { show: ["agents"], check: ["files"], import: ["files"] },
    async load() {
      const { agents, agentsFlags } = await import("./agents.ts");
      return { start: agents, flags: agentsFlags };
    },
  },
  ps: {
    help: "every agent at work, in any process: what it waits for, since when",
    most: 0,
    load: async () => (await import("./control/ps.ts")).ps,
  },
  output: {
    usage: "ID",
    help: "an agent's result, or its conversation so far; --block waits",
    most: 1,
    words: ["sessions"],
    load: async () => (await import("./control/agent-output.ts")).agentOutput,
  },
  wait: {
    usage: "ID…",
    help: "until agents have ended; the exit code tells how",
    most: ANY,
    words: ["sessions"],
    load: async () => (await import("./control/wait.ts")).wait,
  },
  send: {
    usage: "ID TEXT",
    help: "words for an agent, before its next model call",
    most: ANY,
    words: ["sessions"],
    load: async () => (await import("./control/steer.ts")).send,
  },
  interrupt: {
    usage: "ID [TEXT]",
    help: "ends what an agent does now, and keeps it for further words",
    most: ANY,
    words: ["sessions"],
    load: async () => (await import("./control/steer.ts")).interrupt,
  },
  stop: {
    usage: "ID…",
    help: "ends agents and all below them",
    most: ANY,
    words: ["sessions"],
    load: async () => (await import("./control/steer.ts")).stop,
  },
  resume: {
    usage: "ID [PROMPT]",
    help: "goes on with a session, or with a child that has ended",
    most: ANY,
    words: ["sessions"],
    load: async () => (await import("./control/resume.ts")).resume,
  },
  fork: {
    usage: "ID [TEXT]",
    help: "a further child that begins with this one's history",
    most: ANY,
    words: ["sessions"],
    load: async () => (await import("./control/steer.ts")).fork,
  },
  background: {
    usage: "ID",
    help: "a child its parent waits for works on in the background",
    most: 1,
    words: ["sessions"],
    load: async () => (await import("./control/steer.ts")).background,
  },
  mode: {
    usage: "ID [MODE]",
    help: "human, confirm or yolo, for a whole tree at once",
    most: 2,
    words: ["sessions", ["human", "confirm", "yolo"]],
    load: async () => (await import("./control/settings.ts")).mode,
  },
  budget: {
    usage: "ID [--usd X]",
    help: "what a tree may spend, and has spent",
    most: 1,
    words: ["sessions"],
    load: async () => (await import("./control/settings.ts")).budget,
  },
  changes: {
    usage: "[VERB]",
    help: "list, show, apply, keep, discard, revert: what agents made of files, the way in and back",
    verbs: ["list", "show", "apply", "keep", "discard", "revert"],
    most: { list: 0, show: ANY, apply: ANY, keep: 1, discard: 1, revert: ANY },
    words: ["sessions"],
    async load() {
      const { changes, changesFlags } = await import("./changes.ts");
      return { start: changes, flags: changesFlags };
    },
  },
  doctor: {
    help: "what is found, what is missing, what to do",
    most: 0,
    async load() {
      const { doctor, doctorFlags } = await import("./doctor.ts");
      return { start: doctor, flags: doctorFlags };
    },
  },
  setup: {
    usage: "[PROVIDER]",
    help: "asks for a provider's key and stores it",
    most: 1,
    async load() {
      const { setup, setupFlags } = await import("./setup.ts");
      return { start: setup, flags: setupFlags };
    },
  },
  trust: {
    usage: "[DIR]",
    help: "lets a project's configuration and instructions count",
    most: 1,
    words: ["folders"],
    async load() {
      const { trustFolder, trustFlags } = await import("./trust.ts");
      return { start: trustFolder, flags: trustFlags };
    },
  },
  permissions: {
    usage: "[VERB]",
    help: "list, add, remove, clear: what you have allowed for good in a project",
    verbs: ["list", "add", "remove", "clear"],
    most: { list: 0, add: ANY, remove: ANY, clear: 0 },
    load: async () => (await import("./permissions.ts")).permissions,
  },
  completions: {
    usage: "SHELL",
    help: "bash, zsh or fish: completion for your shell",
    verbs: ["bash", "zsh", "fish"],
    most: { bash: 0, zsh: 0, fish: 0 },
    async load() {
      const { completions, completionsFlags } = await import("./completions.ts");
      return { start: completions, flags: completionsFlags };
    },
  },
};
