// Text that has the usual shape of a credential, though nobody told us its value: tokens by how they begin, private
// keys, passwords in addresses, headers and assignments. Pure, and linear in the length of the text: a pattern begins
// where its own run cannot contain its beginning again, or runs over no more than a bounded length.
import {
  ADDRESS,
  ASSIGNED,
  BEARER,
  COOKIE,
  COOKIE_VALUE,
  HEADER,
  KEY_BODY,
  KEY_END,
  PRIVATE_KEY,
  WEBHOOK,
  hints,
  tokenPattern,
  tokens,
} from "./secret-patterns.ts";

type Span = { readonly from: number; readonly to: number; readonly name: string };

const HINT = new RegExp(hints.join("|"), "i");
const TOKEN = tokenPattern();
/** The shortest text that counts. */
const SHORTEST = 8;

/** The text with a mask in the place of each secret; the same text where there is none. */
export function maskShapes(text: string): string {
  if (text.length < SHORTEST || !HINT.test(text)) return text;
  const spans = [
    ...privateKeys(text),
    ...tokensIn(text),
    ...valuesIn(text, ADDRESS, "password", isPassword),
    ...valuesIn(text, WEBHOOK, "webhook", () => true),
    ...valuesIn(text, HEADER, "credential", isToken),
    ...valuesIn(text, BEARER, "credential", isToken),
    ...cookies(text),
    ...assigned(text),
  ].sort((a, b) => a.from - b.from || b.to - a.to);
  if (spans.length === 0) return text;
  let out = "";
  let at = 0;
  for (const { from, to, name } of spans) {
    // What begins inside another is part of it.
    if (from < at) continue;
    out += `${text.slice(at, from)}[masked ${name}]`;
    at = to;
  }
  return out + text.slice(at);
}

function tokensIn(text: string): Span[] {
  return text
    .matchAll(TOKEN)
    .flatMap((match): Span[] => {
      const [found] = match;
      const kind = tokens[match.slice(1).findIndex((group) => group !== undefined)];
      // Words that are joined by hyphens are a name: sk-learn-something-long.
      return /\d/.test(found)
        ? [{ from: match.index, to: match.index + found.length, name: kind?.name ?? "token" }]
        : [];
    })
    .toArray();
}

function privateKeys(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(PRIVATE_KEY)) {
    if (match.index < (spans.at(-1)?.to ?? 0)) continue;
    const body = new RegExp(KEY_BODY, "y");
    body.lastIndex = match.index + match[0].length;
    body.test(text);
    const end = new RegExp(KEY_END, "y");
    // The body takes the hyphens of the end with it.
    const stop = text.slice(match.index, body.lastIndex).lastIndexOf("-----END");
    end.lastIndex = stop < 0 ? body.lastIndex : match.index + stop;
    const to = end.test(text) ? end.lastIndex : body.lastIndex;
    spans.push({ from: match.index, to, name: "private key" });
  }
  return spans;
}

/** The first group of each match, where it can be a secret. */
function valuesIn(text: string, pattern: RegExp, name: string, fits: (value: string) => boolean): Span[] {
  return text
    .matchAll(pattern)
    .flatMap((match): Span[] => {
      const value = match[1] ?? "";
      const from = match.index + match[0].lastIndexOf(value);
      return fits(value) ? [{ from, to: from + value.length, name }] : [];
    })
    .toArray();
}

function cookies(text: string): Span[] {
  return text
    .matchAll(COOKIE)
    .flatMap((line) => {
      const at = line.index + line[0].length - (line[1] ?? "").length;
      return valuesIn(line[1] ?? "", COOKIE_VALUE, "cookie", (value) => !isPlaceholder(value)).map(
        ({ from, to, name }) => ({ from: at + from, to: at + to, name }),
      );
    })
    .toArray();
}

function assigned(text: string): Span[] {
  return text
    .matchAll(ASSIGNED)
    .flatMap((match): Span[] => {
      const [whole, word = "", value = ""] = match;
      const isWord = /^p(ass|wd)/i.test(word);
      // A call or an index is code, not a value.
      const next = text[match.index + whole.length] ?? "";
      if (
        next === "(" ||
        next === "[" ||
        !(isWord ? isPassword(value) && isMixed(value) : isToken(value) && value.length >= 12)
      )
        return [];
      const to = match.index + whole.length;
      return [{ from: to - value.length, to, name: isWord ? "password" : "secret" }];
    })
    .toArray();
}

/** Letters and digits, or a sign that no name has. */
const isMixed = (value: string): boolean => (/\d/.test(value) && /[A-Za-z]/.test(value)) || /[!@#%^*+~]/.test(value);
const isPassword = (value: string): boolean => !isPlaceholder(value) && !isPath(value);
const isToken = (value: string): boolean => isMixed(value) && !isPlaceholder(value) && !isPath(value) && !isName(value);

const isPlaceholder = (value: string): boolean =>
  /^[$%{*.#:/]|example|placeholder|changeme|redacted|masked|dummy|^(.)\1*$|x{4}|\*{3}|\.{3}|\.\.$/i.test(value) ||
  /^(?:your|my|the|a|some)[-_ ]|^(?:pass(?:word|wd|phrase)?|pw|pwd|secret|token|user(?:name)?|root|postgres|admin|test|foo|bar|hidden|string|null|none|true|false|undefined)\d?$/i.test(
    value,
  );
/** `process.env.X`, `this.#token1`, `src/a/b2.ts`: how code names things. */
const isPath = (value: string): boolean => /^[A-Za-z_#][\w#]*(?:[?!]?\.[A-Za-z_#][\w#]*)+$/.test(value);
/** Words, each with two digits at most behind it: `print-claude-key-v2`, `accessToken2`. */
const isName = (value: string): boolean =>
  value.split(/[-_/.:]+/).every((part) => /^(?:[A-Za-z]+\d{0,2}|\d{0,2})$/.test(part));
