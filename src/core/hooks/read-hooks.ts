// Hooks as a configuration, settings file or definition gives them: {Event: [{matcher, hooks: [{type, command}]}]}.
// Pure. Each problem is one line; what it is about is left out, the rest stands.
import { isObject } from "../json.ts";
import { nearest } from "../../std/nearest.ts";
import { HOOK_EVENTS, type HookEvent, isHookEvent } from "./hook-events.ts";
import type { HookGroup, HookHandler, HookSet } from "./hook-set.ts";
import { matcher } from "./matcher.ts";

/** `everywhere`: they act for the whole tree while their agent runs, not only for its subtree. */
export type HooksRead = { readonly set: HookSet; readonly everywhere: boolean; readonly problems: readonly string[] };

/** Longer than any run: a number that big is a mistake. */
const MOST_SECONDS = 86_400;

export function readHooks(value: unknown, of: "config" | "definition"): HooksRead {
  if (value === undefined) return { set: {}, everywhere: false, problems: [] };
  if (!isObject(value)) return { set: {}, everywhere: false, problems: ["hooks must be an object of events"] };
  const problems: string[] = [];
  const set: { [E in HookEvent]?: HookGroup[] } = {};
  for (const [name, groups] of Object.entries(value)) {
    if (of === "definition" && name === "scope") continue;
    if (!isHookEvent(name)) {
      problems.push(unknownEvent(name));
      continue;
    }
    // Of an agent that is a child, its own end is the end of a child.
    const event = of === "definition" && name === "Stop" ? "SubagentStop" : name;
    const read = readGroups(name, groups, (problem) => problems.push(problem));
    if (read.length > 0) (set[event] ??= []).push(...read);
  }
  const scope = of === "definition" ? value["scope"] : undefined;
  if (scope !== undefined && scope !== "all" && scope !== "subtree")
    problems.push(`hooks.scope is "subtree" or "all"; got ${JSON.stringify(scope)?.slice(0, 40)}`);
  return { set, everywhere: scope === "all", problems };
}

function readGroups(event: string, groups: unknown, tell: (problem: string) => void): HookGroup[] {
  if (!Array.isArray(groups)) {
    tell(`hooks.${event} must be a list`);
    return [];
  }
  return groups.flatMap((group: unknown, at) => {
    const where = `hooks.${event}[${at}]`;
    if (!isObject(group) || !Array.isArray(group["hooks"])) {
      tell(`${where} needs "hooks", a list`);
      return [];
    }
    const pattern = group["matcher"] ?? "";
    const takes = typeof pattern === "string" ? matcher(pattern) : { problem: "its matcher is not a text" };
    if ("problem" in takes) {
      tell(`${where}: ${takes.problem}`);
      return [];
    }
    const handlers = group["hooks"].flatMap((hook: unknown, n) => readHandler(`${where}.hooks[${n}]`, hook, tell));
    return handlers.length > 0 ? [{ takes, handlers }] : [];
  });
}

function readHandler(where: string, hook: unknown, tell: (problem: string) => void): HookHandler[] {
  const leaveOut = (problem: string): [] => {
    tell(`${where} ${problem}`);
    return [];
  };
  if (!isObject(hook)) return leaveOut("must be an object");
  const { type = "command", command, args, timeout, shell, if: only } = hook;
  if (type !== "command") return leaveOut(`has the type ${JSON.stringify(type)}; only "command" is known`);
  if (typeof command !== "string" || command.trim() === "") return leaveOut('needs "command", a text');
  if (args !== undefined && !(Array.isArray(args) && args.every((one) => typeof one === "string")))
    return leaveOut("has args that are not a list of texts");
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0 && timeout <= MOST_SECONDS))
    return leaveOut(`has a timeout that is not a number of seconds up to ${MOST_SECONDS}`);
  if (shell !== undefined && shell !== "bash")
    return leaveOut(`asks for the shell ${JSON.stringify(shell)}; bash it is`);
  if (only !== undefined) return leaveOut('has an "if", which is not known: narrow it with its matcher');
  const line = args ? [command, ...(args as string[])].map(quoted).join(" ") : command;
  return [
    {
      run: { kind: "command", command: line },
      name: shortened(line),
      ...(typeof timeout === "number" && { timeoutMs: timeout * 1000 }),
    },
  ];
}

function unknownEvent(name: string): string {
  const close = nearest(name, HOOK_EVENTS);
  return `there is no hook event "${name.slice(0, 60)}"${close ? `; did you mean ${close}?` : ""}`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
const shortened = (command: string): string => {
  const line = command.replace(/\s+/g, " ").trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
};
