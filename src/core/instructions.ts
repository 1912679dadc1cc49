// Instruction files as text: which other files they import, and how they stand in the prompt within its limit. Pure.
export type Import = { readonly start: number; readonly end: number; readonly path: string };

/** The `@path` words of a Markdown text, outside of code. Whether they name a file is for the reader to find out. */
export function importsIn(text: string): Import[] {
  const found: Import[] = [];
  let start = 0;
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || fence === mark)) fence = fence === "" ? mark : "";
    else if (fence === "") found.push(...importsInLine(line, start));
    start += line.length + 1;
  }
  return found;
}

const IMPORT = /(?<![\w@/.])@([\w~./-][^\s`'"<>()[\]{},;:!?*]*)/g;

function importsInLine(line: string, offset: number): Import[] {
  if (!line.includes("@")) return [];
  const prose = line.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
  return [...prose.matchAll(IMPORT)].flatMap((match) => {
    const path = match[1]?.replace(/\.+$/, "") ?? "";
    const start = offset + match.index;
    return path === "" ? [] : [{ start, end: start + 1 + path.length, path }];
  });
}

/** `replace` gives the text for an import, or undefined to leave the words as they are. */
export function withImports(text: string, replace: (path: string) => string | undefined): string {
  let out = "";
  let from = 0;
  for (const { start, end, path } of importsIn(text)) {
    const replaced = replace(path);
    if (replaced === undefined) continue;
    out += text.slice(from, start) + replaced;
    from = end;
  }
  return out + text.slice(from);
}

export type InstructionFile = {
  readonly name: string;
  readonly text: string;
  /** The person's, not the project's. */
  readonly own?: boolean;
};
export const MOST_INSTRUCTION_BYTES = 32 * 1024;

/** `files` begin with those that are cut last. In the prompt the person's own come first, and the nearest last. */
export function instructionsText(files: readonly InstructionFile[]): { text: string; cut: readonly string[] } {
  const parts: string[] = [];
  const cut: string[] = [];
  const texts = new Set<string>();
  let owned = 0;
  let room = MOST_INSTRUCTION_BYTES;
  for (const { name, text, own } of files) {
    const whole = text.trim();
    if (whole === "" || texts.has(whole)) continue;
    texts.add(whole);
    const kept = firstBytes(whole, room);
    room -= new TextEncoder().encode(kept).length;
    if (kept.length < whole.length) cut.push(name);
    if (kept === "") continue;
    const rest = kept.length < whole.length ? "\n[… cut: too long …]" : "";
    const part = `<instructions file="${name.replaceAll('"', "'")}">\n${kept}${rest}\n</instructions>`;
    parts.splice(own ? 0 : owned, 0, part);
    if (own) owned++;
  }
  return { text: parts.join("\n"), cut };
}

function firstBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, most)), { stream: true });
}
