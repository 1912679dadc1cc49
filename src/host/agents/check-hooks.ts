// What can be told of a definition's hooks before they run: matchers that name no tool, commands that are not there.
import { resolve } from "node:path";
import type { Problem } from "../../core/agents/definition.ts";
import { isObject } from "../../core/json.ts";
import { nearest } from "../../std/nearest.ts";
import { isThere } from "../is-there.ts";

const OF_TOOLS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"]);

/** `tools` are all names that a tool can have. */
export function checkHooks(hooks: unknown, line: number, tools: readonly string[], cwd: string): Problem[] {
  const warn = (message: string): Problem => ({ line, message, severity: "warning" });
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
      const { matcher, hooks: handlers } = isObject(group) ? group : {};
      const unknown = OF_TOOLS.has(event) && typeof matcher === "string" ? unknownTools(matcher, tools) : [];
      const missing = (Array.isArray(handlers) ? handlers : []).flatMap((one: unknown) => missingCommand(one, cwd));
      return [
        ...unknown.map((name) =>
          warn(`the matcher of ${event} names ${name}, and there is no such tool${hint(name, tools)}`),
        ),
        ...missing.map((file) => warn(`a hook of ${event} runs ${file}, and there is no such file here`)),
      ];
    }),
  );
}

/** Plain words are names; anything else is a pattern, of which nobody can tell. */
function unknownTools(matcher: string, tools: readonly string[]): string[] {
  if (!/^[A-Za-z0-9_ ,|-]+$/.test(matcher)) return [];
  const names = matcher.split(/[|,]/).map((name) => name.trim());
  return names.filter((name) => name !== "" && !name.startsWith("mcp__") && !tools.includes(name));
}

/** Only where a path stands first: all else is for the shell to find. */
function missingCommand(hook: unknown, cwd: string): string[] {
  const command = isObject(hook) ? hook["command"] : undefined;
  const file = typeof command === "string" ? /^(\.{0,2}\/[\w./-]+)(\s|$)/.exec(command.trim())?.[1] : undefined;
  return file === undefined || isThere(resolve(cwd, file)) ? [] : [file];
}

function hint(name: string, names: readonly string[]): string {
  const close = nearest(name, names);
  return close ? `; did you mean ${close}?` : "";
}
