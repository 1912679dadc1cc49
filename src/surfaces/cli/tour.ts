// The main job in a minute, on the current folder and without a key: a lead sends three children and sums up.
import { createHost } from "../../host/host.ts";
import { exitCodeOf } from "./exit-code.ts";
import { createOutput } from "./output.ts";
import { createPlainView, painter } from "./plain-view.ts";
import { watchSignals } from "./signals.ts";

export async function tour(version: string): Promise<number> {
  const output = createOutput(1);
  const say = (line: string): void => output.line(line);
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
      cwd: process.cwd(),
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
  say(`${result.status}: ${children} children, session ${result.session}`);
  await output.drained();
  return exitCodeOf(result, signals.received());
}
