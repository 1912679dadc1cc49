// One question on the terminal, answered in the open or hidden.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { STILL_MS } from "./conversation/keyboard.ts";
import { UsageError } from "./usage-error.ts";

export async function askLine(question: string): Promise<string> {
  await dropTypedAhead();
  return ask(question, process.stdout);
}

/** What is typed is not written back; the terminal's own echo is off meanwhile. */
export async function askHidden(question: string): Promise<string> {
  await dropTypedAhead();
  process.stdout.write(question);
  const answer = await ask("", new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.stdout.write("\n");
  return answer;
}

/** What was typed before a question is shown answers nothing: it comes once the keyboard has been still. */
function dropTypedAhead(): Promise<void> {
  const { stdin } = process;
  if (!stdin.isTTY) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      stdin.off("data", dropped).pause();
      stdin.setRawMode(false);
      settle();
    };
    const timer = setTimeout(() => done(resolve), STILL_MS);
    const dropped = (keys: Buffer): void => {
      timer.refresh();
      if (keys.includes(CTRL_C)) done(() => reject(new UsageError("nothing was stored")));
    };
    stdin.setRawMode(true);
    stdin.on("data", dropped).resume();
  });
}

const CTRL_C = 3;

function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    const left = (): void => reject(new UsageError("nothing was stored"));
    reader.once("close", left);
    reader.once("SIGINT", () => reader.close());
    reader.question(question, (answer) => {
      reader.off("close", left);
      reader.close();
      resolve(answer.trim());
    });
  });
}
