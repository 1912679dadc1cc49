// The one action of a reply in the bash protocol: what stands in its fenced `bash` block. Pure.
export type Action =
  { readonly is: "command"; readonly command: string } | { readonly is: "none"; readonly why: string };

export function actionIn(reply: string): Action {
  const { blocks, unclosed } = blocksIn(reply.replaceAll("\r\n", "\n"));
  const at = blocks.findIndex(({ bash }) => bash);
  const found = blocks.filter(({ bash }) => bash).length;
  if (unclosed) return { is: "none", why: "a fenced block is not closed" };
  if (found !== 1) return { is: "none", why: `found ${found} actions` };
  const command = blocks[at]?.text ?? "";
  if (command.trim() === "") return { is: "none", why: "the block is empty" };
  // A block that was ended by a fence inside its own here-document must not be run by half.
  if (at < blocks.length - 1 && hasOpenHereDocument(command))
    return {
      is: "none",
      why: "the here-document holds a fence that ends the block; put the block between ```` fences",
    };
  return { is: "command", command };
}

/** The same action as a model would have written it. */
export function asBlock(command: string): string {
  const longest = Math.max(2, ...(command.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}bash\n${command}\n${fence}`;
}

type Block = { readonly bash: boolean; readonly text: string };

/** A fence with a name inside a block opens an inner one, whose end does not end the outer. */
function blocksIn(reply: string): { blocks: readonly Block[]; unclosed: boolean } {
  const blocks: Block[] = [];
  let open: { ticks: number; bash: boolean; inner: number; lines: string[] } | undefined;
  for (const line of reply.split("\n")) {
    const [, ticks = "", name = ""] = /^[ \t]*(`{3,})[ \t]*([^`\s]*)[^`]*$/.exec(line) ?? [];
    if (!open) {
      if (ticks) open = { ticks: ticks.length, bash: name === "bash", inner: 0, lines: [] };
      continue;
    }
    const fence = ticks.length >= open.ticks;
    if (fence && name === "" && open.inner === 0) {
      blocks.push({ bash: open.bash, text: open.lines.join("\n") });
      open = undefined;
      continue;
    }
    if (fence) open.inner += name === "" ? -1 : 1;
    open.lines.push(line);
  }
  return { blocks, unclosed: open !== undefined };
}

function hasOpenHereDocument(command: string): boolean {
  const lines = new Set(command.split("\n").map((line) => line.trim()));
  return [...command.matchAll(/<<-?[ \t]*["'\\]?([A-Za-z_]\w*)/g)].some(([, word = ""]) => !lines.has(word));
}
