// A glob for paths as a regular expression of ripgrep's linear engine: `**` any depth, `*` and `?` within a name,
// `[…]` classes, `{a,b}` alternatives.

export function globRegex(glob: string): string {
  let out = "";
  let depth = 0;
  for (let at = 0; at < glob.length;) {
    const rest = glob.slice(at, at + 3);
    const char = glob[at]!;
    if (rest === "**/") [out, at] = [`${out}(?:[^/]+/)*`, at + 3];
    else if (rest.startsWith("**")) [out, at] = [`${out}.*`, at + 2];
    else if (char === "*") [out, at] = [`${out}[^/]*`, at + 1];
    else if (char === "?") [out, at] = [`${out}[^/]`, at + 1];
    else if (char === "[" && classEnd(glob, at) > 0) {
      const end = classEnd(glob, at);
      [out, at] = [out + charClass(glob.slice(at + 1, end)), end + 1];
    } else if (char === "{" && depth < MOST_DEPTH) [out, at, depth] = [`${out}(?:`, at + 1, depth + 1];
    else if (char === "," && depth > 0) [out, at] = [`${out}|`, at + 1];
    else if (char === "}" && depth > 0) [out, at, depth] = [`${out})`, at + 1, depth - 1];
    else if (char === "\\" && at + 1 < glob.length) [out, at] = [out + literal(glob[at + 1]!), at + 2];
    else [out, at] = [out + literal(char), at + 1];
  }
  return `^${out}${")".repeat(depth)}$`;
}

const MOST_DEPTH = 20;

function classEnd(glob: string, start: number): number {
  const first = glob[start + 1] === "!" || glob[start + 1] === "^" ? start + 2 : start + 1;
  return glob.indexOf("]", first + 1);
}

function charClass(inside: string): string {
  const negated = inside.startsWith("!") || inside.startsWith("^");
  const members = (negated ? inside.slice(1) : inside).replace(/[\\[\]&~^]/g, "\\$&");
  return negated ? `[^/${members}]` : `[${members}]`;
}

const literal = (char: string): string => char.replace(/[\\^$.|?*+()[\]{}#&~/-]/g, "\\$&");
