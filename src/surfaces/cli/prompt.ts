// The prompt: the words given, with what is piped in after them; or standard input alone, when there are no words or `-`
// stands for them.
import { readSync } from "node:fs";
import { isatty } from "node:tty";
import { pipedInput } from "./piped-input.ts";
import { UsageError } from "./usage-error.ts";

export async function readPrompt(
  words: readonly string[],
  mayBeEmpty: boolean,
  say: (line: string) => void,
): Promise<string | undefined> {
  const given = words.join(" ");
  if (mayBeEmpty && given === "") return (await pipedAlone()) || undefined;
  if (given === "" || given === "-") return readWords(words, "sous run needs a prompt: sous run");
  const waits = words.length > 1 && words.at(-1) === "-";
  const { text, cut, silent } = await pipedInput({
    mostBytes: MOST_PROMPT_BYTES,
    silenceMs: waits ? Infinity : SILENCE_MS,
  });
  if (silent)
    say("nothing came on standard input, so it is left out: < /dev/null says so at once, - as the last word waits");
  if (cut) say(`standard input is over ${MOST_PROMPT_BYTES / 1e6} MB: only its beginning went into the prompt`);
  const asked = waits ? words.slice(0, -1).join(" ") : given;
  return text.trim() === "" ? asked : `${asked}\n\n${text}`;
}

/** All that is piped in, where nobody has to: empty where nothing is. */
export async function pipedAlone(): Promise<string> {
  const { text } = await pipedInput({ mostBytes: MOST_PROMPT_BYTES, silenceMs: SILENCE_MS });
  return text.trim() === "" ? "" : text;
}

/** `needed` begins the sentence that says what is missing. */
export function readWords(words: readonly string[], needed: string): string {
  const given = words.join(" ");
  if (given !== "" && given !== "-") return given;
  const piped = given === "-" || !isatty(0) ? readInput().toString("utf8") : "";
  if (piped.trim() !== "") return piped;
  throw new UsageError(`${needed} "what to do", or give it on standard input with -`);
}

/** No model takes more, and an endless input must not fill the memory. */
const MOST_PROMPT_BYTES = 8_000_000;
/** A script may have left a pipe open that nobody writes to; a slow program may still come to write. */
const SILENCE_MS = 3_000;

function readInput(): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = readChunk();
    if (chunk.length === 0) return Buffer.concat(chunks);
    length += chunk.length;
    if (length > MOST_PROMPT_BYTES)
      throw new UsageError(
        `the prompt on standard input is over ${MOST_PROMPT_BYTES / 1e6} MB: put it into a file and name that file in the prompt`,
      );
    chunks.push(chunk);
  }
}

function readChunk(): Buffer {
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    return buffer.subarray(0, readSync(0, buffer));
  } catch (error) {
    throw new UsageError(`standard input cannot be read: ${(error as Error).message}`);
  }
}
