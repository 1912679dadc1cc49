import { describe, expect, test } from "vitest";
import { damagedBytes, damages } from "./damage.ts";
import { SimulatedDisk } from "./disk.ts";
import { logFilesConformance } from "./log-files-test-kit.ts";
import { dice } from "./random.ts";

logFilesConformance("simulated disk", () => {
  const { files } = new SimulatedDisk(() => 0);
  files.makeFolder("/base");
  return { files, folder: "/base" };
});

describe("what survives a power loss", () => {
  const append = (disk: SimulatedDisk, path: string, text: string): number => {
    const fd = disk.files.openAppend(path, false);
    disk.files.write(fd, Buffer.from(text), text.length);
    return fd;
  };
  const sizes = (disk: SimulatedDisk): Record<string, number | undefined> =>
    Object.fromEntries(disk.files.list("/").map((name) => [name, disk.files.look(`/${name}`)?.size]));

  test("a name needs its folder's sync, the bytes need the file's; with neither, both may be there or not", async () => {
    const disk = new SimulatedDisk(() => 0);
    await disk.files.sync(append(disk, "/nameless", "12345"));
    append(disk, "/empty", "12345");
    await disk.files.syncFolder("/");
    const both = append(disk, "/both", "12345");
    await disk.files.sync(both);
    await disk.files.syncFolder("/");
    append(disk, "/both", "more");
    await disk.files.sync(append(disk, "/late", "1"));
    expect(sizes(disk.afterPowerLoss("dropped", 1))).toEqual({ nameless: 5, empty: 0, both: 5 });
    expect(sizes(disk.afterPowerLoss("kept", 1))).toEqual({ nameless: 5, empty: 5, both: 9, late: 1 });
  });

  test("what is written while a sync is under way is not covered by it, and the power may go before it ends", async () => {
    const disk = new SimulatedDisk(() => 0);
    const fd = append(disk, "/a", "123");
    await disk.files.syncFolder("/");
    const syncing = disk.files.sync(fd);
    append(disk, "/a", "456");
    await syncing;
    expect(sizes(disk.afterPowerLoss("dropped", 1))).toEqual({ a: 3 });
    const cut = disk.files.sync(fd);
    disk.powerOff();
    await expect(cut).rejects.toMatchObject({ code: "EIO" });
    expect(sizes(disk.afterPowerLoss("dropped", 1))).toEqual({ a: 3 });
  });

  test("no damage reaches synced bytes, and every kind does its own to the others", () => {
    const durable = Buffer.alloc(5000, "d");
    const current = Buffer.concat([durable, Buffer.alloc(9000, "u")]);
    const seen = new Map<string, Set<string>>();
    for (const kind of damages) {
      for (let seed = 0; seed < 50; seed++) {
        const image = damagedBytes(durable, current, kind, dice(seed));
        expect(image.subarray(0, 5000).equals(durable)).toBe(true);
        const tail = image.subarray(5000);
        const traits = [
          tail.length < 9000 ? "short" : "long",
          tail.includes(0) ? "zeros" : "",
          tail.includes("u") ? "kept" : "",
        ];
        seen.set(kind, (seen.get(kind) ?? new Set()).add(traits.join(" ")));
      }
    }
    expect([...(seen.get("dropped") ?? [])]).toEqual(["short  "]);
    expect([...(seen.get("kept") ?? [])]).toEqual(["long  kept"]);
    expect(seen.get("torn")).toContain("short  kept");
    expect(seen.get("zero-block")).toContain("long zeros kept");
    expect(seen.get("hole")).toContain("long zeros kept");
    expect([...(seen.get("garbage") ?? [])].every((traits) => traits.startsWith("long"))).toBe(true);
  });
});
