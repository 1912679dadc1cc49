import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/events.ts";
import type { AgentPath } from "../../core/ids.ts";
import type { LogFault } from "../../ports/tree-log.ts";
import { faultyFiles } from "../../testing/power-loss/faulty-files.ts";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { sessionsFolder, treeFolder, viewFile, type TreePlace } from "./layout.ts";
import { child, journalText, lead, mustOpen, note, realPlace, texts } from "./log-test-kit.ts";
import { nodeFiles } from "./node-files.ts";

const view = (place: TreePlace, { path }: Origin): string => viewFile(treeFolder(place), path);
const read = (place: TreePlace, origin: Origin): string => readFileSync(view(place, origin), "utf8");
const journalOf = (place: TreePlace, { session }: Origin): string =>
  journalText(place)
    .split("\n")
    .filter((line) => line.includes(`"session":"${session}"`))
    .map((line) => `${line}\n`)
    .join("");

async function filled(): Promise<TreePlace> {
  const place = realPlace();
  const { log } = await mustOpen(place);
  for (let i = 0; i < 30; i++) log.append(i % 3 === 0 ? child : lead, note(`n${i}`));
  await log.close();
  return place;
}

describe("the files in sessions/", () => {
  test("hold each session's own lines, byte for byte as in the journal, after closing and soon while open", async () => {
    const place = await filled();
    expect(read(place, lead)).toBe(journalOf(place, lead));
    expect(read(place, child)).toBe(journalOf(place, child));
    const { log } = await mustOpen(place);
    log.append(child, note("soon"));
    await waitFor(() => read(place, child).includes("soon"));
    await log.close();
  });

  const harm: { name: string; harm: (file: string) => void }[] = [
    { name: "missing", harm: (file) => rmSync(file) },
    { name: "empty", harm: (file) => truncateSync(file, 0) },
    {
      name: "behind by some lines",
      harm: (file) => writeFileSync(file, `${readFileSync(file, "utf8").split("\n").slice(0, 4).join("\n")}\n`),
    },
    { name: "torn in the last line", harm: (file) => truncateSync(file, readFileSync(file).length - 5) },
    {
      name: "ahead of the journal",
      harm: (file) => appendFileSync(file, readFileSync(file, "utf8").replaceAll('"seq":', '"seq":9')),
    },
    {
      name: "with a leftover of an earlier repair",
      harm: (file) => (rmSync(file), writeFileSync(`${file}.new`, "old")),
    },
  ];
  test.each(harm)("are rebuilt from the journal when one is $name", async ({ harm: damage }) => {
    const place = await filled();
    damage(view(place, child));
    const { log } = await mustOpen(place);
    log.append(child, note("after"));
    await log.close();
    for (const origin of [child, lead]) expect(read(place, origin)).toBe(journalOf(place, origin));
    expect(readdirSync(sessionsFolder(treeFolder(place)))).toHaveLength(2);
  });

  test("are not rewritten when they are up to date", async () => {
    const place = await filled();
    const before = nodeFiles.look(view(place, lead))?.modified;
    await (await mustOpen(place)).log.close();
    expect(nodeFiles.look(view(place, lead))?.modified).toBe(before);
  });

  test("never hold up or harm the journal: trouble there is told once", async () => {
    const place = realPlace();
    const faults: LogFault[] = [];
    const { files } = faultyFiles(nodeFiles, ({ kind }) => (kind === "appendText" ? { code: "ENOSPC" } : undefined));
    const { log } = await mustOpen(place, { files, onFault: (fault) => faults.push(fault) });
    await log.durable(log.append(lead, note("a")).seq);
    await waitFor(() => faults.length > 0);
    log.append(lead, note("b"));
    await log.close();
    expect(faults.map(({ code, message }) => [code, message])).toEqual([
      ["full", expect.stringContaining("the journal is whole")],
    ]);
    expect(existsSync(view(place, lead))).toBe(false);
    const again = await mustOpen(place);
    expect(texts(again)).toEqual(["a", "b"]);
    await again.log.close();
    expect(read(place, lead)).toBe(journalOf(place, lead));
  });

  test("stay in their folder whatever a path in the journal says", async () => {
    const place = realPlace();
    mkdirSync(place.stateDir);
    const { log } = await mustOpen(place, { mode: "create" });
    const evil = ["../../../evil", "/etc/evil", "a/../../b", "..", "\0", "x".repeat(5000)].map(
      (path) => path as AgentPath,
    );
    for (const path of evil) log.append({ ...child, path }, note("x"));
    await log.close();
    expect(readdirSync(dirname(place.stateDir))).toEqual([basename(place.stateDir)]);
    for (const path of evil)
      expect(dirname(viewFile(treeFolder(place), path))).toBe(join(treeFolder(place), "sessions"));
    expect(readdirSync(sessionsFolder(treeFolder(place)))).toHaveLength(evil.length);
  });
});
