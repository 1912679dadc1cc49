// What the shell makes of text in which nothing is expanded, by where it stands. Undefined: not certain, or not the same
// in every shell and locale.

export type Place = "bare" | "double" | "here-text";

const ESCAPED: Readonly<Record<Place, RegExp>> = { bare: /^[^]$/u, double: /^[$`"\\]$/, "here-text": /^[$`\\]$/ };
/** What an unescaped sign before it would begin: an expansion, or a string in another language. */
const EXPANDS = /^\$[\w({['"@*#?$!\\-]/;

export function decodeLiteral(text: string, place: Place): string | undefined {
  let value = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "`") return undefined;
    if (char === "$" && EXPANDS.test(text.slice(at, at + 2))) return undefined;
    if (place === "bare" && /['"\s;&|<>()*?]/.test(char)) return undefined;
    if (place === "double" && char === '"') return undefined;
    if (char !== "\\") {
      value += char;
      continue;
    }
    const next = text.codePointAt(++at);
    if (next === undefined) return undefined;
    const escaped = String.fromCodePoint(next);
    if (escaped === "\n") continue;
    value += ESCAPED[place].test(escaped) ? escaped : `\\${escaped}`;
    at += escaped.length - 1;
  }
  return value;
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ "\\": "\\", "'": "'", '"': '"', "?": "?", n: "\n", t: "\t", r: "\r" },
  ...{ a: "\u0007", b: "\b", e: "\u001b", E: "\u001b", f: "\f", v: "\v" },
};

/** `$'…'` with the escapes that every shell and locale takes alike: others are octets, not letters. */
export function decodeAnsiC(text: string): string | undefined {
  if (!text.startsWith("$'") || !text.endsWith("'") || text.length < 3) return undefined;
  const body = text.slice(2, -1);
  let value = "";
  for (let at = 0; at < body.length; at++) {
    if (body[at] === "'") return undefined;
    if (body[at] !== "\\") {
      value += body[at];
      continue;
    }
    const found = /^(?:x([0-7][\da-fA-F])|u00([0-7][\da-fA-F])|([01][0-7][0-7])|([\\'"?ntrabeEfv]))/.exec(
      body.slice(at + 1, at + 6),
    );
    if (!found) return undefined;
    const [all, hex, unicode, octal, named] = found;
    const digits = hex ?? unicode;
    const code = digits !== undefined ? parseInt(digits, 16) : octal !== undefined ? parseInt(octal, 8) : undefined;
    if (code === 0) return undefined;
    value += code === undefined ? NAMED[named!]! : String.fromCharCode(code);
    at += all.length;
  }
  return value;
}

/** So that every shell takes it for exactly this. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** The same between double quotes. */
export const inDoubleQuotes = (value: string): string => value.replace(/[\\"$`]/g, "\\$&");
