// The hooks of a trusted project's .claude/settings.json and settings.local.json. Nothing else of these files is read,
// and what is wrong there is told and left out: they are another program's.
import { join, relative } from "node:path";
import { type HookSet, joinSets } from "../../core/hooks/hook-set.ts";
import { readHooks } from "../../core/hooks/read-hooks.ts";
import { isObject } from "../../core/json.ts";
import { type ActingFiles, fileOf } from "./acting-files.ts";

export const claudeSettingsFiles = (root: string): string[] =>
  ["settings.json", "settings.local.json"].map((name) => join(root, ".claude", name));

/** `acting` are the files of a trusted project that count. */
export function claudeHooks(
  root: string,
  acting: ActingFiles,
): { readonly set: HookSet; readonly notices: readonly string[] } {
  // As everywhere in a project: a link leads where its maker wants.
  if (acting[".claude"])
    return {
      set: {},
      notices: [`${join(root, ".claude")} is a symbolic link, which is not followed: its hooks are left out`],
    };
  const notices: string[] = [];
  const sets = claudeSettingsFiles(root).flatMap((path) => {
    const found = acting[relative(root, path)];
    if (!found) return [];
    const file = fileOf(found);
    if (file.is === "bad") notices.push(`${path} ${file.why}: its hooks are left out`);
    const { set, problems } = readHooks(
      file.is === "read" && isObject(file.value) ? file.value["hooks"] : undefined,
      "config",
    );
    notices.push(...problems.map((problem) => `${path}: ${problem}; left out`));
    return [set];
  });
  return { set: joinSets(sets), notices };
}
