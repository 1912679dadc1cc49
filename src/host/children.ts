// What the engine needs to make a child: its definition resolved against its parent, and the parts of its run.
import type { Assembled } from "../core/agents/assemble.ts";
import type { ChildSettings, Protocol } from "../core/events.ts";
import type { Grants } from "../core/grants.ts";
import type { SessionState } from "../core/session-state.ts";
import type { Rules } from "../core/rules.ts";
import type { Guard } from "../engine/guard/guard.ts";
import { createFileMemory } from "../engine/tools/file-memory.ts";
import type { ChildParts, SpawnKit } from "../engine/runs/spawn-kit.ts";
import { depthOf } from "../engine/runs/tickets.ts";
import type { InboxKit } from "../engine/runs/tree-inbox.ts";
import { askParent } from "../engine/tools/ask-user.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { createShells } from "../engine/tools/shells.ts";
import { yieldFor } from "../engine/tools/yield-to-parent.ts";
import type { Effort } from "../ports/model.ts";
import type { ContextOptions } from "./child-context.ts";
import { childMaking, protocolOf } from "./child-making.ts";
import type { JoinedEmbedded } from "./embedded.ts";
import type { ChosenModel } from "./model-choice.ts";
import type { NamesFor } from "./model-names.ts";
import { depthMark } from "./depth.ts";
import { protocolGuard, protocolParts } from "./protocol.ts";
import type { TreeWorkspaces } from "./workspaces/tree-workspaces.ts";

/** What an agent has, and so the most that its children can have. */
export type Ceiling = Pick<ChildSettings, "tools" | "spawns" | "narrowing" | "deny" | "memory" | "neverAsks">;

export type ChildOptions = {
  readonly limits: SpawnKit["limits"];
  readonly treeSignal: AbortSignal;
  readonly heldMs?: number | undefined;
  readonly version: string;
  /** The lead's parts: children share its world. */
  readonly lead: ChildParts;
  /** The lead's. */
  readonly protocol: Protocol;
  readonly tools: readonly Tool[];
  /** What the lead has of these, where it runs as an agent; left out, all of it. */
  readonly asLead?: Ceiling;
  readonly cwd: string;
  /** What children are told, and what they remember. */
  readonly context: ContextOptions;
  /** What single agents have besides their parents' tools. */
  readonly embedded?: Pick<JoinedEmbedded, "allTools" | "toolsOf">;
  readonly bounds: {
    readonly own?: readonly string[];
    readonly roots: readonly string[];
    readonly rules: Rules;
    readonly home: string;
    readonly trusted: boolean;
    readonly repository?: { readonly top: string };
    readonly grants?: Grants;
  };
  readonly workspaces: TreeWorkspaces;
  readonly inbox: InboxKit;
  /** The tree's budget in money, if it has one. */
  budgetUsd(): number | undefined;
  /** `heldBack`: why what a file says of an agent does not count now. */
  definitions(): Promise<Assembled & { heldBack?(name: string): string | undefined }>;
  chooseModel(name: string): Promise<ChosenModel>;
  readonly namesFor: NamesFor;
  transcriptOf(path: SessionState["path"]): string;
};

export function createChildKit(options: ChildOptions): SpawnKit {
  const { lead, limits, bounds, cwd } = options;
  const tools = [...new Set([...options.tools, ...(options.embedded?.allTools ?? [])])];

  async function parts(child: SessionState): Promise<{ parts: ChildParts; close(): Promise<void> }> {
    const settings = child.opened?.child;
    if (!settings) throw new Error(`${child.path} has no record of how it runs`);
    const place = await options.workspaces.enter(child);
    const chosen = await options.chooseModel(child.opened?.model ?? lead.model.id);
    const { effort: _effort, temperature: _temperature, ...shared } = lead;
    const rules = { ...bounds.rules, deny: [...bounds.rules.deny, ...settings.deny] };
    const shells = createShells();
    const protocol = protocolOf(options, child);
    const { memory } = settings;
    const {
      settle,
      roots = bounds.roots,
      readOnly,
      copyOf,
      from = cwd,
      repository: ownRepository,
      ...world
    } = place ?? {};
    const repository = place ? ownRepository : bounds.repository;
    const at = place?.workspace.cwd ?? cwd;
    // What a person trusts and always allows is of their project: not of a folder that a definition's command prints.
    const atHome = bounds.roots.some((root) => from === root || from.startsWith(`${root}/`));
    const own: ChildParts = {
      ...shared,
      ...world,
      env: { ...(place?.env ?? lead.env), ...depthMark(depthOf(limits, child.path)) },
      shells,
      ...protocolParts(protocol, {
        system: settings.system,
        model: chosen.model,
        tools: [
          ...tools.filter((tool) => settings.tools.includes(tool.name)),
          askParent,
          ...yieldFor(child.opened?.exit),
        ],
        exit: child.opened?.exit,
        clock: lead.clock,
        random: lead.random,
      }),
      prices: chosen.prices,
      limits: settings.limits,
      files: createFileMemory(memory),
      guard: allowing(
        settings.background && options.inbox.approvals === "allow",
        protocolGuard(protocol, {
          roots,
          rules,
          places: { cwd: at, home: bounds.home },
          ...(readOnly !== undefined && { readOnly }),
          ...(copyOf && { copyOf }),
          ...(repository && { repository }),
          trusted: bounds.trusted && atHome,
          ...(bounds.grants && atHome && { grants: bounds.grants }),
          ...(bounds.own && { own: bounds.own }),
          narrowing: settings.narrowing,
          ...(memory && { memory: memory.path }),
          ...(settings.beyond && { beyond: settings.beyond }),
          ...(settings.neverAsks && { neverAsks: true }),
        }),
      ),
      ...(isEffort(settings.effort) && { effort: settings.effort }),
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      transcript: options.transcriptOf(child.path),
      copies: options.workspaces.copiesOf(child.path),
      // Nothing that it started may still change what is counted.
      ...(settle && { settle: () => shells.close().then(settle) }),
    };
    return { parts: own, close: () => shells.close() };
  }

  const { treeSignal, heldMs, transcriptOf } = options;
  const { hooks } = lead;
  return {
    ...options.inbox,
    limits,
    ...(hooks && { hooks }),
    clock: lead.clock,
    random: lead.random,
    treeSignal,
    ...(heldMs !== undefined && { heldMs }),
    transcriptOf,
    making: (request, parent) => childMaking(options, request, parent),
    parts,
  };
}

/** As in yolo: deny and ask rules, and calls whose outcome is unknown, stand as they do there. */
const allowing = (all: boolean, guard: Guard): Guard =>
  all ? { ...guard, judge: (asked) => guard.judge({ ...asked, mode: "yolo" }) } : guard;

const EFFORTS: readonly string[] = ["none", "minimal", "low", "medium", "high", "max"];
export const isEffort = (value: string | undefined): value is Effort => value !== undefined && EFFORTS.includes(value);
