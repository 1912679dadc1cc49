// A call as a person is asked about it: whole and escaped, because what is approved is exactly what is shown.
import type { JsonObject } from "../../core/json.ts";
import { plainText } from "./plain-text.ts";

export const shownCall = (input: JsonObject): string => indent(gaps(plainText(described(input))));

/** White space that would push the rest out of sight is told, not shown. */
const gaps = (text: string): string =>
  text
    .replace(/[\p{Zs}\t]{60,}/gu, (run) => `[${run.length} spaces]`)
    .replace(/\n([^\S\n]*\n){8,}/g, (run) => `\n[${run.split("\n").length - 2} empty lines]\n`);

/** A command as it is typed, an edit as what goes and what comes, a new file as its text; the rest as JSON. */
function described(input: JsonObject): string {
  const { command, file_path: file, content, old_string: old, new_string: fresh, ...rest } = input;
  const more = Object.keys(rest).length > 0 ? `\n${JSON.stringify(rest)}` : "";
  if (typeof command === "string" && file === undefined) return `${command}${more}`;
  if (typeof file === "string" && typeof old === "string" && typeof fresh === "string")
    return `${file}\n${marked("- ", old)}\n${marked("+ ", fresh)}${more}`;
  if (typeof file === "string" && typeof content === "string") return `${file}\n${marked("+ ", content)}${more}`;
  return JSON.stringify(input, undefined, 2);
}

const marked = (mark: string, text: string): string => text.replace(/^/gm, mark);
const indent = (text: string): string => text.replace(/^/gm, "  ");
