// Whether a name in a tool list means a tool that is there.

export type OfferedTool = {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** It starts children, as a definition that is a tool of its own does. */
  readonly spawns?: boolean;
  /** It is such a definition. */
  readonly isAgent?: boolean;
};

/** Tools of other hosts that ours stand for. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  task: "spawn_subagent",
  agent: "spawn_subagent",
  multiedit: "edit",
  notebookread: "read",
  killbash: "killshell",
};

const READ_ONLY = new Set(["Read", "LS", "Glob", "Grep"]);
export const isReadOnly = (tool: string): boolean => READ_ONLY.has(tool);

/** Case does not count: `bash` in a deny list means Bash. `mcp__server` means all tools of that server. */
export function matches(wanted: string, tool: OfferedTool): boolean {
  if (wanted === "*") return true;
  const names = [tool.name, ...(tool.aliases ?? [])].map((name) => name.toLowerCase());
  const want = wanted.toLowerCase();
  if (names.includes(want) || names.includes(STANDS_FOR[want] ?? "")) return true;
  if (!want.startsWith("mcp__")) return false;
  const prefix = want.endsWith("*") ? want.slice(0, -1) : `${want}__`;
  return names.some((name) => name.startsWith(prefix));
}
