// Bash: one command in a fresh shell; its output as it came, head and tail when long.
import { Type } from "typebox";
import { collectBounded } from "../../std/bounded.ts";
import { text } from "../../core/messages.ts";
import type { Facts, ToolOutcome } from "../../core/tool-outcome.ts";
import type { Exit } from "../../ports/processes.ts";
import { defineTool } from "./define-tool.ts";
import { SAID_LIMITS, spillInto, withArtifact } from "./said-limits.ts";

const DEFAULT_MS = 120_000;
const LONGEST_MS = 3_600_000;
const PROGRESS_CHARS = 400;

export const bash = defineTool({
  name: "Bash",
  description:
    "Runs a command in a fresh bash, stdout and stderr together. Nothing it starts outlives it. timeout is in ms (default 120000).",
  input: Type.Object(
    {
      command: Type.String({ minLength: 1 }),
      description: Type.Optional(Type.String({ description: "What it does, in a few words" })),
      timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: LONGEST_MS })),
    },
    { additionalProperties: false },
  ),
  timeoutMs: LONGEST_MS + 10_000,
  reach: (_world, input) => [{ may: "run", command: input.command }],
  run: async (world, input): Promise<ToolOutcome> => {
    let artifact: Facts["artifact"];
    const output = collectBounded(
      SAID_LIMITS,
      spillInto(world, (kept) => (artifact = kept)),
    );
    const spec = {
      command: input.command,
      cwd: world.workspace.cwd,
      env: world.env,
      timeoutMs: input.timeout ?? DEFAULT_MS,
    };
    const exit = await world.processes.run(
      spec,
      (chunk) => {
        output.write(chunk);
        world.progress(chunk.subarray(-PROGRESS_CHARS).toString("utf8"));
      },
      world.signal,
    );
    const { text: said } = output.finish();
    const facts: Facts = {
      command: { text: input.command, exitCode: exit.code, ...(exit.ended === "timeout" && { timedOut: true }) },
      ...(artifact && { artifact }),
    };
    const whole = [
      text(
        `${withArtifact(said, artifact)}${said === "" || said.endsWith("\n") ? "" : "\n"}[${describe(exit, spec.timeoutMs)}]`,
      ),
    ];
    if (exit.ended === "aborted") return { ok: false, why: "interrupted", said: whole, facts };
    return exit.code === 0 ? { ok: true, said: whole, facts } : { ok: false, why: "failed", said: whole, facts };
  },
});

function describe(exit: Exit, timeoutMs: number): string {
  if (exit.ended === "timeout") return `ended after its time limit of ${timeoutMs / 1000} s`;
  if (exit.ended === "aborted") return "interrupted: the run was stopped";
  return exit.code === null ? `ended by ${exit.signal ?? "a signal"}` : `exit code ${exit.code}`;
}
