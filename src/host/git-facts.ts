// What children are told of git: asked for when one is made, kept for a moment for those made beside it. A repository
// that answers slowly is waited for once; then its children do without its status.
import { readGitState } from "../adapters/worktrees/read-git-state.ts";
import type { Clock } from "../ports/clock.ts";

export type GitFacts = { readonly branch?: string; readonly status?: string };

const KEPT_MS = 2_000;
const PATIENCE_MS = 1_000;
const MOST_MS = 10_000;

export function createGitFacts(cwd: string, clock: Clock): { branch(): Promise<GitFacts>; all(): Promise<GitFacts> } {
  let slow = false;
  let kept: { readonly at: number; readonly facts: Promise<GitFacts> } | undefined;

  const branch = async (): Promise<GitFacts> => {
    const { branch: name } = (await readGitState(cwd)) ?? {};
    return name === undefined ? {} : { branch: name };
  };

  async function look(): Promise<GitFacts> {
    const state = await readGitState(cwd);
    if (!state) return {};
    const began = clock.ticks();
    const told = state.status(AbortSignal.timeout(MOST_MS)).finally(() => (slow = clock.ticks() - began > PATIENCE_MS));
    const status = slow ? undefined : await inTime(told, PATIENCE_MS, clock);
    return { ...(state.branch !== undefined && { branch: state.branch }), ...(status !== undefined && { status }) };
  }

  return {
    branch,
    all() {
      if (kept && clock.ticks() - kept.at < KEPT_MS) return kept.facts;
      kept = { at: clock.ticks(), facts: look() };
      return kept.facts;
    },
  };
}

async function inTime<T>(value: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([value, clock.sleep(ms, over.signal).then(() => undefined)]);
  } finally {
    over.abort(null);
  }
}
