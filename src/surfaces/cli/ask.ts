// One question on the terminal, answered in the open or hidden.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { UsageError } from "./usage-error.ts";

export const askLine = (question: string): Promise<string> => ask(question, process.stdout);

/** What is typed is not written back; the terminal's own echo is off meanwhile. */
export async function askHidden(question: string): Promise<string> {
  process.stdout.write(question);
  const answer = await ask("", new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.stdout.write("\n");
  return answer;
}

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
