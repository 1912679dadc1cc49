// Bash: one command in a fresh shell; its output as it came, head and tail when long. In the background it goes on
// while the agent does other things, but never longer than the run.
import { Type } from "typebox";
import { type Collector, collectBounded } from "../../std/bounded.ts";
import { text } from "../../core/messages.ts";
import type { Facts, ToolOutcome } from "../../core/tool-outcome.ts";
import type { CommandSpec, Exit } from "../../ports/processes.ts";
import { type ToolWorld, defineTool } from "./define-tool.ts";
import { describeExit } from "./describe-exit.ts";
import { commandReach } from "./command-reach.ts";
import { SAID_LIMITS, spillInto, withArtifact } from "./said-limits.ts";

export const COMMAND_MS = 120_000;
const LONGEST_MS = 3_600_000;
const BACKGROUND_MS = 24 * 3_600_000;
const PROGRESS_CHARS = 400;

export const bash = defineTool({
  name: "Bash",
  description:
    "Runs a command in a fresh bash, stdout and stderr together. Nothing it starts outlives it. timeout is in ms (default 120000). run_in_background returns at once; see BashOutput.",
  input: Type.Object(
    {
      command: Type.String({ minLength: 1 }),
      description: Type.Optional(Type.String({ description: "What it does, in a few words" })),
      timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: LONGEST_MS })),
      run_in_background: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  timeoutMs: LONGEST_MS + 10_000,
  reach: async (world, input) => [await commandReach(world.workspace, input.command)],
  check: async ({ shells }, input) => (input.run_in_background && shells.isFull() ? TOO_MANY : undefined),
  run: async (world, input): Promise<ToolOutcome> => {
    const limit = input.run_in_background ? BACKGROUND_MS : COMMAND_MS;
    const spec = commandSpec(world, input.command, input.timeout ?? limit);
    return input.run_in_background
      ? startInBackground(world, input.command, spec)
      : runToEnd(world, input.command, spec);
  },
});

/** As it was judged, where nobody said yes to its very text. */
export function commandSpec(world: ToolWorld, asked: string, timeoutMs: number): CommandSpec {
  const { command, unasked } = world.runAs ?? { command: asked };
  return { command, cwd: world.workspace.cwd, env: world.env, timeoutMs, ...(unasked && { unasked }) };
}

async function runToEnd(world: ToolWorld, asked: string, spec: CommandSpec): Promise<ToolOutcome> {
  const { exit, said, facts } = await runCommand(world, asked, spec);
  const end = `[${describeExit(exit, spec.timeoutMs)}]`;
  const whole = [text(`${said}${said === "" || said.endsWith("\n") ? "" : "\n"}${end}`)];
  if (exit.ended === "aborted") return { ok: false, why: "interrupted", said: whole, facts };
  return exit.code === 0 ? { ok: true, said: whole, facts } : { ok: false, why: "failed", said: whole, facts };
}

/** To its end, its output bounded; `also` sees all of it. The record has it as it was asked for. */
export async function runCommand(
  world: ToolWorld,
  asked: string,
  spec: CommandSpec,
  also: (chunk: Buffer) => void = () => {},
): Promise<{ exit: Exit; said: string; facts: Facts }> {
  let artifact: Facts["artifact"];
  const output = collectBounded(
    SAID_LIMITS,
    spillInto(world, (kept) => (artifact = kept)),
  );
  const exit = await world.processes.run(
    spec,
    (chunk) => {
      output.write(chunk);
      also(chunk);
      world.progress(chunk.subarray(-PROGRESS_CHARS).toString("utf8"));
    },
    world.signal,
  );
  const { text: said } = output.finish();
  const facts: Facts = {
    command: { text: asked, exitCode: exit.code, ...(exit.ended === "timeout" && { timedOut: true }) },
    ...(artifact && { artifact }),
  };
  return { exit, said: withArtifact(said, artifact), facts };
}

const TOO_MANY = "Not run: too many commands run in the background already; end one with KillShell.";

function startInBackground(world: ToolWorld, asked: string, spec: CommandSpec): ToolOutcome {
  const id = world.shells.start({
    command: asked,
    run: (onOutput, signal) => world.processes.run(spec, onOutput, signal),
    collect: () => collectUntilAsked(world),
  });
  if (id === undefined) {
    return { ok: false, why: "failed", said: [text(TOO_MANY)] };
  }
  const said = `Started in the background as ${id}: BashOutput shows its output, KillShell ends it. It ends with this run.`;
  return { ok: true, said: [text(said)], facts: { command: { text: asked, exitCode: null, shell: id } } };
}

function collectUntilAsked(world: ToolWorld): Collector {
  let artifact: Facts["artifact"];
  const output = collectBounded(
    SAID_LIMITS,
    spillInto(world, (kept) => (artifact = kept)),
  );
  return {
    write: (chunk) => output.write(chunk),
    finish: () => {
      const done = output.finish();
      return { ...done, text: withArtifact(done.text, artifact) };
    },
  };
}
