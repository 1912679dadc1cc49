// One word of a command: what the program gets for it, as far as that is certain, and its text printed anew. What is
// judged and what runs are both made here, from the same parts.
import type { ParameterExpansionPart, Script, Word, WordPart } from "unbash";
import { decodeAnsiC, decodeLiteral, inDoubleQuotes, quoted } from "./decode-literal.ts";

/** Whether it may become several words or none, is one value, or a pattern to compare with. */
export type Role = "argument" | "value" | "pattern";

export type ReadWord = {
  /** null: known only when it runs. */
  readonly value: string | null;
  readonly text: string;
};

export type WordPrinting = {
  script(script: Script): string;
  /** Every text that stands for itself. */
  literal(value: string): void;
  /** What is not certain to be read as the shell reads it. */
  unread(reason: string): void;
  /** The shell evaluates the value of a variable, and there may be commands in it. */
  evaluates(): void;
};

type Piece = { readonly value: string | null; readonly text: string };

export function readWord(word: Word, role: Role, printing: WordPrinting): ReadWord {
  const parts = word.parts ?? [literalPart(word)];
  const doubt = doubtAboutText(word, parts, role);
  if (doubt !== undefined) printing.unread(doubt);
  const pieces = parts.map((part, at) =>
    readPart(part, { role, first: at === 0, last: at === parts.length - 1 }, printing),
  );
  return {
    value: pieces.some(({ value }) => value === null) ? null : pieces.map(({ value }) => value).join(""),
    text: pieces.length === 0 ? "''" : pieces.map(({ text }) => text).join(""),
  };
}

/** The word as the program gets it, or null where the shell makes something else of it. It is printed elsewhere. */
export const wordValue = (word: Word): string | null => readWord(word, "argument", onlyValue).value;
const nothing = (): void => {};
const onlyValue = { script: () => "", unread: nothing, evaluates: nothing, literal: nothing };

/** The body of a here-document, as one word: here every expansion counts, and quotes do not. */
export function readHereText(parts: readonly WordPart[], tabs: boolean, printing: WordPrinting): string {
  let text = "";
  for (const [at, part] of parts.entries()) {
    if (part.type !== "Literal") {
      if (part.type === "CommandExpansion" && part.text.includes("#"))
        printing.unread("a text in it holds a command with a comment");
      text += expansion(part, true, printing);
      continue;
    }
    const plain = tabs ? part.text.replace(at === 0 ? /(^|\n)\t+/g : /(\n)\t+/g, "$1") : part.text;
    if (plain.includes("\\\n")) printing.unread("a line of a text in it goes on in the next");
    const value = decodeLiteral(plain, "here-text");
    if (value === undefined) printing.unread("a text in it may hold more than is read");
    else printing.literal(value);
    text += inDoubleQuotes(value ?? "");
  }
  return `"${text.replace(/\n$/, "")}"`;
}

const literalPart = ({ text, value, pos, end }: Word): WordPart => ({ type: "Literal", text, value, pos, end });

function doubtAboutText(word: Word, parts: readonly WordPart[], role: Role): string | undefined {
  const joined = word.text.replaceAll("\\\n", "");
  const bare = parts.flatMap((part) => (part.type === "Literal" ? [part.text] : [])).join("\0");
  const plain = parts.every((part) => isLiteral(part) || (part.type === "DoubleQuoted" && part.parts.every(isLiteral)));
  if (word.text.includes("\\\n") && !plain) return "a word in it goes on over the end of a line";
  // Bash takes what follows for the beginning of an expansion when it looks for the end of quotes.
  if (/\$\$[({['"]/.test(joined) || (bare.includes("$") && parts.some(isExpansion)))
    return "it has an expansion that is not plain";
  if (role === "argument" && setsHomeFolder(joined)) return "it names a home folder in a setting";
  if (parts.some(({ type }) => type === "BraceExpansion") && parts.some(isExpansion))
    return "it has braces beside a variable";
  if (role === "value" && /[:]~/.test(bare)) return "it names several home folders";
  if (role === "argument" && /(^|[^\\])\{/.test(bare) && mayBecomeSeveral(joined) && !onlyBraces(parts))
    return "it has braces that may become several words";
  return undefined;
}

/** `a=~`, `a=b:~`, `a[0]=~`. */
function setsHomeFolder(text: string): boolean {
  const sign = /^[A-Za-z_]\w*(\[|\+?=)/.exec(text);
  if (!sign) return false;
  const rest = text.slice(sign[0].length);
  if (sign[1] !== "[") return rest.startsWith("~") || rest.includes(":~");
  const value = rest.search(/\]\+?=/);
  return value >= 0 && (/\]\+?=~/.test(rest) || rest.includes(":~", value));
}

/** An opening brace, later a comma or two dots, and later a closing one. Each text is passed over once. */
function mayBecomeSeveral(text: string): boolean {
  const inside = text.slice(text.indexOf("{") + 1, text.lastIndexOf("}"));
  return text.includes("{") && text.includes("}") && /,|\.\./.test(inside);
}

const isExpansion = ({ type }: WordPart): boolean => EXPANSIONS.has(type);
const isLiteral = ({ type }: WordPart): boolean => type === "Literal" || type === "SingleQuoted";
const onlyBraces = (parts: readonly WordPart[]): boolean =>
  parts.every((part) => part.type !== "Literal" || !part.text.includes("{"));

type At = { readonly role: Role; readonly first: boolean; readonly last: boolean };

function readPart(part: WordPart, at: At, printing: WordPrinting): Piece {
  const literal = (value: string | undefined): Piece => {
    if (value === undefined) printing.unread("the shell may read a word in it in another way");
    else printing.literal(value);
    return { value: value ?? null, text: quoted(value ?? "") };
  };
  const unprinted = (reason: string): Piece => {
    printing.unread(reason);
    return { value: null, text: "" };
  };
  switch (part.type) {
    case "Literal":
      if (at.first && part.text.startsWith("~")) return homeFolder(part.text, at.last, literal, unprinted);
      return literal(decodeLiteral(part.text, "bare"));
    case "SingleQuoted":
      return literal(part.text === `'${part.text.slice(1, -1)}'` ? part.text.slice(1, -1) : undefined);
    case "AnsiCQuoted":
      return literal(decodeAnsiC(part.text));
    case "DoubleQuoted": {
      const values = part.parts.map((one) => (one.type === "Literal" ? decodeLiteral(one.text, "double") : null));
      if (!values.includes(null)) return literal(values.includes(undefined) ? undefined : values.join(""));
      const inner = part.parts.map((one, n) => {
        const value = values[n];
        if (value === undefined) printing.unread("the shell may read a word in it in another way");
        return value === null ? expansion(one, true, printing) : inDoubleQuotes(value ?? "");
      });
      return { value: null, text: `"${inner.join("")}"` };
    }
    case "Glob":
      if (at.role === "value") return literal(part.text);
      if (part.kind === "bracket" && !/^\[[!^]?([\w.-]|\[:[a-z]+:\])+\]$/.test(part.text))
        return unprinted("it has a pattern that is not plain");
      return { value: null, text: part.text };
    case "BraceExpansion":
      if (!/^\{[\w.,/-]*\}$/.test(part.text)) return unprinted("it has braces that may become several words");
      return at.role === "argument" ? { value: null, text: part.text } : literal(part.text);
    case "LocaleString":
    case "ExtendedGlob":
      return unprinted(part.type === "LocaleString" ? "it has a text to be translated" : "it has an extended pattern");
    case "ProcessSubstitution":
      if (!part.script) return unprinted("a substitution in it cannot be read");
      return { value: null, text: `${part.operator}( ${printing.script(part.script)} )` };
    default: {
      const text = expansion(part, at.role === "value", printing);
      return { value: null, text: at.role === "value" ? `"${text}"` : text };
    }
  }
}

function homeFolder(
  text: string,
  last: boolean,
  literal: (value: string | undefined) => Piece,
  unprinted: (reason: string) => Piece,
): Piece {
  const found = /^(~(?:[a-z_][\w-]*)?)(?:(\/)([^]*))?$/.exec(text);
  if (!found || (!last && found[2] === undefined))
    return unprinted("it names a home folder in a way that is not plain");
  const rest = found[3] === undefined || found[3] === "" ? "" : literal(decodeLiteral(found[3], "bare")).text;
  return { value: null, text: `${found[1]}${found[2] ?? ""}${rest}` };
}

const SPECIAL = /^(?:[A-Za-z_]\w*|[0-9]+|[@*#?$!-])$/;
/** What follows the first letter of a name is a sign like any other: there is one way to read each text. */
const ARITHMETIC = /^(?:[\w\s+*/%<>=!&|^~?:(),#-]|\$[A-Za-z_]|\$\{[A-Za-z_]\w*\})*$/;

/** An expansion as it stands in a word, in double quotes or not. */
function expansion(part: WordPart, inQuotes: boolean, printing: WordPrinting): string {
  const unprinted = (reason: string): string => {
    printing.unread(reason);
    return "";
  };
  switch (part.type) {
    case "SimpleExpansion": {
      const name = part.text.slice(1);
      return SPECIAL.test(name) ? `\${${name}}` : unprinted("it has an expansion that is not plain");
    }
    case "ParameterExpansion":
      return parameter(part, inQuotes, printing);
    case "CommandExpansion":
      if (!part.script || !/^(?:\$\((?!\()[^]*\)|`[^`]*`)$/.test(part.text))
        return unprinted("a substitution in it cannot be read");
      if (part.text.startsWith("`") && part.text.includes("\\")) return unprinted("it has backslashes in backticks");
      return `$( ${printing.script(part.script)} )`;
    case "ArithmeticExpansion": {
      const body = arithmeticText(part.text.slice(3, -2), printing);
      return part.text.startsWith("$((") && body !== undefined
        ? `$((${body}))`
        : unprinted("it computes in a way that is not plain");
    }
    default:
      return unprinted("it has an expansion that is not plain");
  }
}

/** Numbers, names and signs; undefined when there is more in it. */
export function arithmeticText(text: string, printing: WordPrinting): string | undefined {
  if (/[A-Za-z_$]/.test(text)) printing.evaluates();
  return ARITHMETIC.test(text) ? text : undefined;
}

function parameter(part: ParameterExpansionPart, inQuotes: boolean, printing: WordPrinting): string {
  const { parameter: name, prefix, index, operation } = part;
  const unprinted = (reason: string): string => {
    printing.unread(reason);
    return "";
  };
  if (!SPECIAL.test(name) || part.text.includes("\\\n")) return unprinted("it has an expansion that is not plain");
  if (prefix === "!") return unprinted("it reads a variable by another's name");
  let subscript = "";
  if (index) {
    if (!/^(?:[@*]|\d+|\$?[A-Za-z_]\w*)$/.test(index.text)) return unprinted("it reads an element of an array");
    if (!/^(?:[@*]|\d+)$/.test(index.text)) printing.evaluates();
    subscript = `[${index.text}]`;
  }
  const begin = `\${${prefix ?? ""}${name}${subscript}`;
  if (!operation) return `${begin}}`;
  const operand = (word: Word): string => parameterWord(word, inQuotes, printing);
  switch (operation.type) {
    case "Default":
    case "Remove":
      return `${begin}${operation.operator}${operand(operation.operand)}}`;
    case "Replace":
      return `${begin}${operation.operator}${operand(operation.pattern)}/${operand(operation.replacement)}}`;
    case "CaseModification":
      return operation.operand ? unprinted("it changes letters by a pattern") : `${begin}${operation.operator}}`;
    case "Slice": {
      const numbers = [operation.offset, ...(operation.length ? [operation.length] : [])].map(({ text }) => text);
      if (!numbers.every((text) => /^ ?-?\d+$/.test(text)))
        return unprinted("it cuts a value in a way that is not plain");
      return `${begin}:${numbers.join(":")}}`;
    }
    default:
      return unprinted("it changes a variable's value in a way that may run commands");
  }
}

/** Inside an expansion quotes mean something else between double quotes: only what means the same in both is read. */
function parameterWord(word: Word, inQuotes: boolean, printing: WordPrinting): string {
  const parts = word.parts ?? (word.text === "" ? [] : [literalPart(word)]);
  return parts
    .map((part) => {
      if (part.type === "Literal" && /^[\w./:,@%+=^ -]*$/.test(part.text)) return part.text;
      if (part.type === "Glob" && part.kind !== "bracket") return part.text;
      if (EXPANSIONS.has(part.type)) return expansion(part, inQuotes, printing);
      const plain = part.type === "SingleQuoted" || part.type === "DoubleQuoted";
      if (plain && !inQuotes) return readPart(part, { role: "argument", first: false, last: false }, printing).text;
      printing.unread("it has quotes or signs inside an expansion");
      return "";
    })
    .join("");
}

const EXPANSIONS: ReadonlySet<string> = new Set(["SimpleExpansion", "ParameterExpansion", "CommandExpansion"]);
