// One question with yes or no on a terminal: only a y that was typed after it could be read is a yes.
import type { Asked, Typed } from "./console.ts";
import { openConsole } from "./open-console.ts";

export async function confirmed(question: Omit<Asked, "refuse">): Promise<boolean> {
  const console = openConsole();
  console.onInterrupt(() => console.close());
  try {
    const typed = await console.ask({ ...question, refuse });
    return typed !== undefined && /^y(es)?$/i.test(typed.text.trim());
  } finally {
    console.close();
  }
}

const refuse = ({ text, pasted }: Typed): string | undefined =>
  pasted || !/^(y(es)?|no?)$/i.test(text.trim()) ? "Type y or n, then press Enter." : undefined;
