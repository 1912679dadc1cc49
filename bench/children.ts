// What children cost: 64 at once against the floors, what one more adds in memory, how long a spawn takes, and how
// large the first requests are.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FLOOR, FLOOR_HTTP, OURS, type Contestant, type Setting } from "./contestants.ts";
import { type Expected, KINDS, LEAD_PROMPT } from "./expected.ts";
import { type Figures, figuresOf, median } from "./figures.ts";
import { type Program, type Sample, measure } from "./measure.ts";
import type { ModelServer } from "./model-server.ts";
import { makeWorkspace } from "./workspace.ts";

export const FAN = { kind: "fan", children: 64, reads: 5 } as const;
export const WIDE = { kind: "fan", children: 256, reads: 5 } as const;
export const CHAIN = { kind: "chain", children: 40 } as const;

export type ChildrenFigures = {
  readonly floor: Figures;
  readonly ours: Figures;
  /** Everybody in the fan, by name. */
  readonly fan: ReadonlyMap<string, Figures>;
  readonly wide: Figures;
  readonly kbPerChild: number;
  readonly spawnMs: number;
  readonly bytes: { readonly lead: number; readonly readOnly: number; readonly general: number };
};

export type Rounds = { readonly fan: number; readonly wide: number; readonly chain: number };

export async function measureChildren(
  setting: Setting,
  rounds: Rounds,
  server: ModelServer,
  inTurns: (all: readonly Contestant[], expected: Expected, rounds: number) => Promise<Map<string, Sample[]>>,
): Promise<ChildrenFigures> {
  const sous = await sousProgram(setting);
  const { bytes, child } = await firstRequests(setting, sous, server);
  // The floor's requests are as long as ours.
  const floor = (way: string): Program => ({
    ...sous,
    argv: [process.execPath, fanScript, setting.workspace, LEAD_PROMPT, way, String(bytes.plainLead), String(child)],
  });
  const all = [
    { name: FLOOR, program: floor("fetch") },
    { name: OURS, program: sous },
    { name: FLOOR_HTTP, program: floor("http") },
  ];
  const fan = figuresIn(await inTurns(all, FAN, rounds.fan));
  const wide = figuresIn(await inTurns([{ name: OURS, program: sous }], WIDE, rounds.wide)).get(OURS) ?? figuresOf([]);
  const chains = (await inTurns([{ name: OURS, program: sous }], CHAIN, rounds.chain)).get(OURS) ?? [];
  const ours = fan.get(OURS) ?? figuresOf([]);
  return {
    floor: fan.get(FLOOR) ?? figuresOf([]),
    ours,
    fan,
    wide,
    kbPerChild: ((wide.peakMb - ours.peakMb) * 1024) / (WIDE.children - FAN.children),
    spawnMs: median(chains.flatMap(spawnTimes)),
    bytes,
  };
}

const fanScript = join(import.meta.dirname, "floor", "fan.mjs");

const figuresIn = (samples: ReadonlyMap<string, Sample[]>): Map<string, Figures> =>
  new Map([...samples].map(([name, of]) => [name, figuresOf(of)]));

/** From the end of the reply that spawns to the arrival of the child's first request. */
function spawnTimes({ arrivals }: Sample): number[] {
  const lead = arrivals.filter(({ child }) => child === undefined);
  return arrivals.flatMap(({ child, turn, at }) =>
    child === undefined || turn > 0 ? [] : [at - (lead[child]?.answered ?? NaN)],
  );
}

async function sousProgram({ workspace, home, serverEnv }: Setting): Promise<Program> {
  const config = join(home, "children.json");
  await writeFile(config, JSON.stringify({ limits: { maxConcurrent: WIDE.children, maxAgents: 1_000 } }));
  const command = join(import.meta.dirname, "..", "bin", "sous.cjs");
  const words = ["run", "--config", config, "--model", "anthropic/sonnet", "--mode", "yolo", LEAD_PROMPT];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...serverEnv };
  return { argv: [process.execPath, command, ...words], env, cwd: workspace };
}

async function firstRequests(setting: Setting, sous: Program, server: ModelServer) {
  const plain = await measure(sous, { kind: "kinds" }, server);
  const full = { ...sous, argv: [...sous.argv, "--trust"], cwd: await withAgents(join(setting.home, "with-agents")) };
  const { arrivals } = await measure(full, { kind: "kinds" }, server);
  const first = (of: Sample["arrivals"], who: number | undefined): number =>
    of.find(({ child, turn }) => child === who && turn === 0)?.bytes ?? NaN;
  const general = KINDS.indexOf("general-purpose");
  const bytes = {
    lead: first(arrivals, undefined),
    readOnly: first(arrivals, KINDS.indexOf("Explore")),
    general: first(arrivals, general),
    plainLead: first(plain.arrivals, undefined),
  };
  return { bytes, child: first(plain.arrivals, general) };
}

/** More agents than the list in the lead's prompt has room for. */
async function withAgents(folder: string): Promise<string> {
  await makeWorkspace(folder);
  const agents = join(folder, ".sous", "agents");
  await mkdir(agents, { recursive: true });
  for (let n = 0; n < 40; n++)
    await writeFile(
      join(agents, `expert-${n}.md`),
      `---\nname: expert-${n}\ndescription: Knows all about part ${n} of the project, and is asked before it is changed.\n---\nYou know part ${n}.\n`,
    );
  return folder;
}
