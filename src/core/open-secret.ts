// How much of the end of a text may be the beginning of a secret by its shape, whose rest is still to come: for text
// that comes in pieces. Pure; looks at a bounded end of the text.
import { KEY_END, PRIVATE_KEY, begins, literal, words } from "./secret-patterns.ts";

const MOST_HELD = 2_048;
const MOST_HELD_OF_A_KEY = 20_000;
const KEY_BEGIN = "-----BEGIN";

const VALUE = "[^\\s\"'`,;<>(){}[\\]\\\\|&]*";
const BEGUN = new RegExp(
  [
    `(?<![\\w-])(?:${begins.map(literal).join("|")})[\\w.+/-]*$`,
    `(?:--[a-z-]{0,20})?(?:${words.map(literal).join("|")})(?:\\\\?["'])?\\s{0,8}(?:[:=]>?)?\\s{0,8}(?:\\\\?["'\`])?(?:(?:bearer|basic|token|digest|apikey|negotiate)\\s{0,4})?${VALUE}$`,
    "cookie2?(?:\\\\?[\"'])?\\s{0,4}:[^\\n]*$",
    ":\\/\\/[^\\s/@\"'`<>\\\\]*$",
  ].join("|"),
  "i",
);

/** Every proper beginning of what a secret begins with, in lower case. */
const BEGINNINGS: ReadonlySet<string> = new Set(
  [...begins, ...words, ...words.map((word) => `--${word}`), "://", KEY_BEGIN].flatMap((one) =>
    Array.from({ length: one.length - 1 }, (_, at) => one.slice(0, at + 1).toLowerCase()),
  ),
);
const LONGEST = Math.max(...[...BEGINNINGS].map((one) => one.length));

export function openSecret(text: string): number {
  const key = openKey(text);
  if (key > 0) return key;
  const tail = text.slice(-MOST_HELD);
  const begun = BEGUN.exec(tail);
  if (begun) return tail.length - begun.index;
  // The hyphens at the end of a key are not those of the next.
  if (/-----END [A-Z ]{1,40}-----$/.test(text.slice(-60))) return 0;
  const end = text.slice(-LONGEST).toLowerCase();
  for (let length = end.length; length > 0; length--) if (BEGINNINGS.has(end.slice(-length))) return length;
  return 0;
}

function openKey(text: string): number {
  const at = text.lastIndexOf(KEY_BEGIN);
  if (at < 0 || text.length - at > MOST_HELD_OF_A_KEY) return 0;
  const rest = text.slice(at);
  const head = rest.slice(0, 100);
  const isKey = head.search(PRIVATE_KEY) === 0;
  const mayBecome = !isKey && rest.length < 80 && !rest.slice(KEY_BEGIN.length).includes("-----");
  return mayBecome || (isKey && !KEY_END.test(rest)) ? rest.length : 0;
}
