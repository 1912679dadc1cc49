// Where commands of each kind of workspace can write, looked at from outside after they have tried every folder there is:
// those above the project, its neighbours, a person's home and the state of Sous itself. As root and as nobody.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Confinement } from "../../ports/processes.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { asUser } from "./as-user-test-kit.ts";
import { needs } from "./processes-test-kit.ts";

const ROUNDS = process.env["SOAK"] ? 40 : 1;
const root = process.getuid?.() === 0;
type User = "this user" | "nobody";
const users: readonly User[] = root ? ["this user", "nobody"] : ["this user"];
const kinds = ["sandbox", "worktree", "read-only", "shared"] as const;
type Kind = (typeof kinds)[number];

/** A home with a project, its neighbour and the state of Sous, in places that the seed chooses. */
function layout(seed: number, under: string) {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)]!;
  const base = mkdtempSync(join(under, "sous-"));
  const home = join(base, pick(["me", "users/me"]));
  const project = join(home, pick(["src/shop", "shop", "work/a/b/shop"]));
  const neighbour = join(dirname(project), "other");
  const state = pick([join(home, ".local/state/sous"), join(home, ".local/state/sous"), join(project, ".state/sous")]);
  const tree = join(state, "trees/t");
  const [copy, artifacts] = [join(tree, "worktrees/c1"), join(tree, "artifacts")];
  const obeyed = [
    ...[join(state, "trust.json"), join(state, "grants/p/g.json"), join(state, "trust/x.json")],
    ...[join(tree, "journal.jsonl"), join(project, ".mcp.json"), join(project, ".claude/settings.json")],
    ...[join(project, ".git/hooks/pre-commit"), join(home, ".config/sous/config.json")],
  ];
  const others = [join(project, "src/a.ts"), join(neighbour, "b.ts"), join(home, ".bashrc"), join(copy, "src/a.ts")];
  for (const file of [...obeyed, ...others, join(tree, "worktrees/c2/a.ts"), join(artifacts, "x/a.md")]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "good");
  }
  const hide = [join(home, ".screen"), join(project, "editor.sock"), join(base, "listens.sock")];
  mkdirSync(join(home, ".screen"));
  const show = [join(home, ".screen/keys.sock")];
  const keep = [...obeyed.filter((file) => !/grants|trust\/|journal|\.config/.test(file)), tree];
  const bar = [join(state, "grants"), join(state, "trust"), join(home, ".config/sous")];
  const spare = { keep, bar, except: [artifacts, join(tree, "worktrees")], hide, show };
  return { base, home, project, state, tree, copy, artifacts, obeyed, spare, hide };
}

type Layout = ReturnType<typeof layout>;

function confinement(kind: Kind, { project, tree, copy, artifacts }: Layout): Confinement | undefined {
  const protect = [project, join(project, ".git"), join(tree, "worktrees")];
  if (kind === "sandbox") return { write: [copy], protect, network: false };
  if (kind === "worktree") return { except: [copy], protect, network: true };
  return kind === "read-only" ? { write: [], protect: [project, artifacts], network: true } : undefined;
}

const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** By the promise and not by the order of mounts. */
function mayWrite(kind: Kind, path: string, l: Layout): boolean {
  if (kind === "read-only") return false;
  if (isIn(path, [l.copy])) return true;
  if (kind === "sandbox") return false;
  if (kind === "worktree" && isIn(path, [l.project, join(l.tree, "worktrees")])) return false;
  if (isIn(path, [l.artifacts, join(l.tree, "worktrees")])) return true;
  return !isIn(path, [...l.spare.keep, ...l.spare.bar, ...l.hide]);
}

/** Tries all of it, also after it has tried to move what stands above away. */
const tries = `
  const fs = require("node:fs"), net = require("node:net"), path = require("node:path");
  const { folders, files, above, sockets, everywhere, mark } = JSON.parse(process.argv[1]);
  const quietly = (work) => { try { work(); } catch {} };
  const mounted = fs.readFileSync("/proc/self/mountinfo", "utf8").trim().split("\\n").map((line) => line.split(" ")[4]);
  const write = () => {
    for (const folder of [...folders, ...(everywhere ? mounted.filter((at) => !/^.(proc|sys)/.test(at)) : [])])
      quietly(() => fs.writeFileSync(path.join(folder, mark), ""));
    for (const file of files) quietly(() => fs.appendFileSync(file, "evil"));
  };
  write();
  for (const folder of above) {
    quietly(() => fs.chmodSync(path.dirname(folder), 0o755));
    quietly(() => { fs.renameSync(folder, folder + ".gone"); fs.cpSync(folder + ".gone", folder, { recursive: true }); });
  }
  write();
  for (const socket of sockets) net.connect(socket).on("error", () => {}).on("connect", function () { this.destroy(); });
  console.log(JSON.stringify(mounted));`;

function everyFolder(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...below.flatMap(({ name }) => everyFolder(join(folder, name)))];
}

const above = (path: string): string[] => (path === "/" ? [] : [...above(dirname(path)), dirname(path)]);

/** Listens and counts. */
async function listening(path: string) {
  let reached = 0;
  const server = createServer((socket) => (reached++, socket.on("error", () => {}).destroy())).listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  chmodSync(path, 0o777);
  return { path, reached: () => reached, close: () => server.close() };
}

describe.each(["/tmp", "/var/tmp"])("P.T06, P.Z04, X8: below %s", (under) => {
  test.for(users.flatMap((user) => kinds.map((kind) => [kind, user] as const)))(
    "a command in a %s workspace, as %s, writes where it may and nowhere else, and reaches nothing hidden",
    { timeout: 120_000 },
    async ([kind, user], it) => {
      await needs(it, "bubblewrap");
      const first = kinds.indexOf(kind) + kinds.length * users.indexOf(user);
      for (let round = 0; round < ROUNDS; round++) await tryAll(kind, user, layout(first + 8 * round, under));
    },
  );
});

async function tryAll(kind: Kind, user: User, l: Layout): Promise<void> {
  const mark = `mark-of-${l.base.split("/").at(-1)}`;
  const outside = above(l.base);
  const sockets = await Promise.all(
    [join(l.home, ".screen/a.sock"), l.spare.show[0]!, ...l.hide.slice(1)].map(listening),
  );
  try {
    if (root) chmodSync(l.base, 0o777);
    if (user === "nobody") execFileSync("chown", ["-R", "65534:65534", l.base]);
    // Whoever owns a folder can make it writable again.
    chmodSync(dirname(l.project), 0o555);
    const confine = confinement(kind, l);
    const closed = confine?.write !== undefined;
    const folders = [...everyFolder(l.base), ...(closed ? outside : [])];
    const guarded = [...l.spare.keep, ...l.spare.bar, ...l.hide, ...(confine?.protect ?? [])];
    const moved = [...new Set(guarded.flatMap(above))].filter((path) => isIn(path, [l.base]));
    const words = {
      folders,
      files: l.obeyed,
      above: moved,
      everywhere: closed,
      mark,
      sockets: sockets.map((s) => s.path),
    };
    const command = `exec ${process.execPath} -e '${tries}' '${JSON.stringify(words)}'`;
    const ran = await asUser(user)(
      { command, cwd: kind === "shared" ? l.project : l.copy, spare: l.spare, ...(confine && { confine }) },
      "bubblewrap",
    );
    expect(ran.code, ran.output).toBe(0);
    const mounted = JSON.parse(ran.output) as string[];
    const marked = (folder: string): boolean => existsSync(join(folder, mark));
    expect(everyFolder(l.base).filter((path) => path.endsWith(".gone"))).toEqual([]);
    const allowed = folders.filter((folder) => isIn(folder, [l.base]) && mayWrite(kind, folder, l));
    expect(
      [...folders, ...mounted].filter((path) => marked(path) && !allowed.includes(path)),
      "written",
    ).toEqual([]);
    expect(
      allowed.filter((folder) => !marked(folder)),
      "not written",
    ).toEqual([]);
    for (const file of l.obeyed) expect(readFileSync(file, "utf8"), file).toBe("good");
    const reached = sockets.filter((socket) => socket.reached() > 0).map(({ path }) => path);
    // Keys and containers would do outside of a sandbox what it keeps commands from.
    expect(reached, "sockets").toEqual(closed ? [] : l.spare.show);
  } finally {
    for (const folder of outside) rmSync(join(folder, mark), { force: true });
    for (const socket of sockets) socket.close();
    rmSync(l.base, { recursive: true, force: true });
  }
}
