// The main job in a minute, on the current folder and without a key: a lead sends three children and sums up.
import { createHost } from "../../host/host.ts";
import { exitCodeOf } from "./exit-code.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { flagLines } from "./help.ts";
import { createOutput } from "./output.ts";
import { createPlainView, painter } from "./plain-view.ts";
import { watchSignals } from "./signals.ts";
import { count } from "../../std/count.ts";

export const tourFlags = {
  cwd: { takes: "text", value: "DIR", help: "show this folder" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const help = `sous tour [flags]: a lead and three children show this folder, on the embedded offline model

${flagLines(tourFlags)}`;

export async function tour(words: readonly string[], version: string): Promise<number> {
  const { flags } = readFlags("tour", tourFlags, words);
  const output = createOutput(1);
  const say = (line: string): void => output.line(line);
  if (flags.help) {
    say(help);
    await output.drained();
    return 0;
  }
  const host = createHost({ env: process.env, version });
  say(
    `Sous ${version}: a lead agent hands parts of the work to children. A short tour of this folder, on the embedded`,
  );
  say(
    `offline model (rules, no language model). For real work: sous setup, or set ANTHROPIC_API_KEY. See sous --help.\n`,
  );
  const view = createPlainView((text) => output.line(text.replace(/\n$/, "")), painter(false));
  const live = await host.run(
    {
      prompt: "Show me around this project.",
      cwd: flags.cwd ?? process.cwd(),
      model: "offline",
      limits: {},
      budget: {},
      rules: { allow: [], ask: [], deny: [] },
      addDirs: [],
      trigger: "tour",
    },
    // The answer comes at the end; what is said on the way would only be in between.
    { event: (event) => event.type !== "text.delta" && event.type !== "tool.ended" && view(event), notice: say },
  );
  const signals = watchSignals(live, say);
  const result = await live.result;
  signals.release();
  say(`\n${result.output}\n`);
  const children = result.children.length;
  say(`${result.status}: ${count(children, "child", "children")}, session ${result.session}`);
  await output.drained();
  return exitCodeOf(result, signals.received());
}
