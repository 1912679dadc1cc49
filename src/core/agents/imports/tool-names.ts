// Other tools' names for what our tools do.

const NAMES: Readonly<Record<string, readonly string[]>> = {
  // OpenCode
  bash: ["Bash"],
  read: ["Read"],
  write: ["Write"],
  edit: ["Edit", "Write"],
  patch: ["Edit"],
  apply_patch: ["Edit"],
  glob: ["Glob"],
  grep: ["Grep"],
  list: ["LS"],
  webfetch: ["WebFetch"],
  todowrite: ["TodoWrite"],
  task: ["spawn_subagent"],
  // Gemini
  read_file: ["Read"],
  read_many_files: ["Read"],
  write_file: ["Write"],
  replace: ["Edit"],
  run_shell_command: ["Bash"],
  search_file_content: ["Grep"],
  grep_search: ["Grep"],
  list_directory: ["LS"],
  web_fetch: ["WebFetch"],
  write_todos: ["TodoWrite"],
  // Copilot
  codebase: ["Read", "Glob", "Grep"],
  search: ["Glob", "Grep"],
  usages: ["Grep"],
  editfiles: ["Edit", "Write"],
  createfile: ["Write"],
  readfile: ["Read"],
  runcommands: ["Bash"],
  runinterminal: ["Bash"],
  runtasks: ["Bash"],
  execute: ["Bash"],
  shell: ["Bash"],
  fetch: ["WebFetch"],
  web: ["WebFetch"],
  todo: ["TodoWrite"],
  todos: ["TodoWrite"],
  agent: ["spawn_subagent"],
  runsubagent: ["spawn_subagent"],
};

/** Ours, an MCP tool's name, or undefined. `edit/editFiles` is a tool in a set, `github/*` a server's tools. */
export function ourTools(foreign: string): readonly string[] | undefined {
  const name = foreign.trim();
  const last = name.split("/").at(-1) ?? name;
  const known = NAMES[name.toLowerCase()] ?? NAMES[last.toLowerCase()];
  if (known) return known;
  if (name.startsWith("mcp__")) return [name];
  const [server, tool] = name.split("/");
  if (server && tool && !(server.toLowerCase() in NAMES))
    return [tool === "*" ? `mcp__${server}` : `mcp__${server}__${tool}`];
  if (tool === "*" && server) return NAMES[server.toLowerCase()];
  return undefined;
}

/** A list of foreign tools; undefined means all. Nothing unknown widens it: an empty list stays empty. */
export function ourToolList(foreign: unknown, told: string[]): string[] | undefined {
  if (foreign === undefined || foreign === null) return undefined;
  const names = typeof foreign === "string" ? foreign.split(",").map((name) => name.trim()) : foreign;
  if (!Array.isArray(names)) {
    told.push("tools cannot be read: the agent gets none");
    return [];
  }
  if (names.length === 1 && names[0] === "*") return undefined;
  const found = names.flatMap((name: unknown) => {
    const ours = typeof name === "string" ? ourTools(name) : undefined;
    if (!ours) told.push(`there is no tool like ${String(name)}`);
    return ours ?? [];
  });
  return [...new Set(found)];
}
