// What a pipe or a file gives on standard input, beside a prompt in words. Nothing where there is a terminal or no
// input at all; a pipe that stays silent is not waited for, because a script may have left it open.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type PipedInput = { readonly text: string; readonly cut: boolean; readonly silent: boolean };
export type PipedLimits = { readonly mostBytes: number; readonly silenceMs: number };

const NONE: PipedInput = { text: "", cut: false, silent: false };
const LOOK_MS = 10;

export async function pipedInput(limits: PipedLimits): Promise<PipedInput> {
  const kind = kindOf(0);
  if (kind?.isFile()) return readAll(0, limits, false);
  if (kind?.isSocket()) return (await fromStream({ ...limits, silenceMs: socketMs(limits) })) ?? NONE;
  if (!kind?.isFIFO()) return NONE;
  const own = openAgain();
  if (own === undefined) return (await fromStream(limits)) ?? { ...NONE, silent: true };
  try {
    return await readAll(own, limits, true);
  } finally {
    closeSync(own);
  }
}

/** No shell makes one: a program that starts others leaves it open without a thought. */
const socketMs = ({ silenceMs }: PipedLimits): number => (silenceMs === Infinity ? silenceMs : 300);

function kindOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
}

/** The same pipe under a description of our own: not to wait is then no setting of everybody else who holds it. */
function openAgain(): number | undefined {
  try {
    return openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

async function readAll(fd: number, { mostBytes, silenceMs }: PipedLimits, waits: boolean): Promise<PipedInput> {
  const chunks: Buffer[] = [];
  const began = performance.now();
  let length = 0;
  for (;;) {
    const chunk = readNow(fd);
    if (chunk === "later") {
      if (waits && length === 0 && performance.now() - began > silenceMs) return { ...NONE, silent: true };
      await sleep(LOOK_MS);
      continue;
    }
    if (chunk.length === 0 || length > mostBytes) return asText(chunks, mostBytes);
    chunks.push(chunk);
    length += chunk.length;
  }
}

function readNow(fd: number): Buffer | "later" {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  try {
    return buffer.subarray(0, readSync(fd, buffer));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN" ? "later" : buffer.subarray(0, 0);
  }
}

/** undefined when it stayed silent. */
async function fromStream({ mostBytes, silenceMs }: PipedLimits): Promise<PipedInput | undefined> {
  const { stdin } = process;
  const chunks: Buffer[] = [];
  let length = 0;
  const heard = await new Promise<boolean>((resolve) => {
    const timer = silenceMs < Infinity ? setTimeout(() => resolve(false), silenceMs) : undefined;
    stdin.on("error", () => resolve(true)).once("end", () => resolve(true));
    stdin.on("data", (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(chunk);
      if ((length += chunk.length) > mostBytes) resolve(true);
    });
  });
  stdin.removeAllListeners("data").pause();
  stdin.unref?.();
  return heard ? asText(chunks, mostBytes) : undefined;
}

function asText(chunks: readonly Buffer[], mostBytes: number): PipedInput {
  const all = Buffer.concat(chunks);
  const cut = all.length > mostBytes;
  // A character that was cut in half at the end is left out.
  const text = new TextDecoder().decode(all.subarray(0, mostBytes), { stream: cut });
  return { text, cut, silent: false };
}
