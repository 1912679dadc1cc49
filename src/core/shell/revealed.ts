// What a command shows or compares by itself, before any program of it reads a file: values of variables, and names of
// files. A command that runs unasked may show only what it may read.
import { type SyntaxNode, type Word, type WordPart, forEachChild } from "unbash";
import { decodeLiteral } from "./decode-literal.ts";
import { wordValue } from "./read-word.ts";

export type Revealed = {
  /** Why it may show more than the files that are known. */
  readonly reason?: string;
  /** Files whose names it looks up. */
  readonly reads: readonly string[];
};

const nothing: Revealed = { reads: [] };
const VALUE = "it shows or compares the value of a variable";

/** Of one node alone; `loops` are the variables of the loops around it, whose values stand in the command. */
export function revealedBy(node: SyntaxNode, loops: readonly string[]): Revealed {
  const shows = (words: readonly (SyntaxNode | undefined)[]): Revealed =>
    words.some((word) => word && hasValue(word, loops)) ? { reason: VALUE, reads: [] } : nothing;
  switch (node.type) {
    case "HereString":
      return shows([node.target]);
    case "HereDoc":
      return node.delimiter?.quoted ? nothing : shows([node.body]);
    case "Case":
      return shows([node.word, ...node.items.flatMap(({ pattern }) => pattern)]);
    case "TestBinary":
      return shows([node.left, node.right]);
    case "TestUnary":
      return /^-[nzo]$/.test(node.operator) ? shows([node.operand]) : lookedUp(node.operand);
    case "For":
      return node.wordlist ? listed(node.wordlist, loops) : { reason: VALUE, reads: [] };
    default:
      return nothing;
  }
}

/** What commands inside of it print is judged with these commands. */
function hasValue(node: SyntaxNode, loops: readonly string[]): boolean {
  if (node.type === "SimpleExpansion" && !loops.includes(node.text.slice(1))) return true;
  if (node.type === "ParameterExpansion" && !loops.includes(node.parameter)) return true;
  if (node.type === "ArithmeticExpansion") return true;
  if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") return false;
  if (node.type === "Word" && node.text.startsWith("~")) return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= hasValue(child, loops);
  });
  return found;
}

function lookedUp(operand: Word): Revealed {
  const path = wordValue(operand);
  return path === null
    ? { reason: "it looks for a file whose name is known only when it runs", reads: [] }
    : { reads: [path] };
}

function listed(words: readonly Word[], loops: readonly string[]): Revealed {
  if (words.some((word) => hasValue(word, loops))) return { reason: VALUE, reads: [] };
  const folders = words.filter(hasPattern).map(folderOf);
  if (folders.includes(undefined)) return { reason: "it lists files by a pattern that is not plain", reads: [] };
  return { reads: folders as readonly string[] };
}

const hasPattern = ({ parts }: Word): boolean => parts?.some(({ type }) => /Glob/.test(type)) ?? false;

/** The one folder whose names a pattern is compared with; undefined where there may be more, or another. */
function folderOf({ parts = [] }: Word): string | undefined {
  const first = parts.findIndex(({ type }) => /Glob/.test(type));
  const before = parts.slice(0, first).map(literalOf);
  const after = parts.slice(first).map((part) => (part.type === "Glob" ? part.text : literalOf(part)));
  if ([...before, ...after].includes(undefined) || after.join("").includes("/")) return undefined;
  const path = before.join("");
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : ".";
}

const literalOf = (part: WordPart): string | undefined =>
  part.type === "Literal"
    ? decodeLiteral(part.text, "bare")
    : part.type === "SingleQuoted"
      ? part.text.slice(1, -1)
      : undefined;
