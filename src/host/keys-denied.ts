// The file of stored keys is read by no agent, where it stands in the workspace neither: a rule that denies it, and that no
// other rule lifts.
import { realPath } from "../adapters/workspaces/real-path.ts";
import { isInside } from "../core/obeyed.ts";
import { type Rule, type Rules, noRules } from "../core/rules.ts";
import { keysFile } from "./config/places.ts";
import { isThere } from "./is-there.ts";

type Env = Readonly<Record<string, string | undefined>>;

export const keysRule = (env: Env): Rule => ({ tool: "Read", spec: `/${keysFile(env)}` });

/** Elsewhere it is outside of the workspace, which is denied already, and a rule would only make commands ask more. */
export async function keysDenied(env: Env, roots: readonly string[]): Promise<Rules> {
  const path = await realPath(keysFile(env));
  const reached = [path, keysFile(env)].some((one) => roots.some((root) => isInside(root, one)));
  return reached && isThere(path) ? { ...noRules, deny: [keysRule(env)] } : noRules;
}
