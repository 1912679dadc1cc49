// A diff for whoever reads it: on a terminal with colours and nothing that it would obey, elsewhere byte for byte.
import type { Diff } from "../../host/changes-diff.ts";
import { plainText } from "./plain-text.ts";
import { painter } from "./plain-view.ts";

export function diffLines(made: Diff, { isTTY = false }: { isTTY?: boolean } = process.stdout): string[] {
  if ("problem" in made) return [`(the diff cannot be shown: ${plainText(made.problem)})`];
  if (made.diff === "") return [];
  const lines = made.diff.replace(/\n$/, "").split("\n");
  if (!isTTY) return ["", ...lines, ""];
  const paint = painter(!process.env["NO_COLOR"]);
  const colour = (line: string): string => {
    const shown = plainText(line);
    if (/^(diff |index |--- |\+\+\+ )/.test(line)) return paint.dim(shown);
    if (line.startsWith("@@")) return paint.yellow(shown);
    return line.startsWith("+") ? paint.green(shown) : line.startsWith("-") ? paint.red(shown) : shown;
  };
  return ["", ...lines.map(colour), ""];
}
