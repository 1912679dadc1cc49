// What every LogFiles must do, real or simulated. `folder` gives an empty folder that the files can work in.
import { describe, expect, test } from "vitest";
import { errorCode, type LogFiles } from "../../ports/log-files.ts";

export function logFilesConformance(name: string, make: () => { files: LogFiles; folder: string }): void {
  describe(`the file operations of the log: ${name}`, () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const put = (files: LogFiles, path: string, text: string): void => {
      const fd = files.openAppend(path, false);
      expect(files.write(fd, bytes(text), bytes(text).length)).toBe(bytes(text).length);
      files.close(fd);
    };
    const get = async (files: LogFiles, path: string, at = 0): Promise<string> => {
      const fd = files.openRead(path);
      const buffer = new Uint8Array(100);
      const n = await files.read(fd, buffer, at);
      files.close(fd);
      return new TextDecoder().decode(buffer.subarray(0, n));
    };
    const codeOf = (action: () => unknown): string | undefined => {
      try {
        action();
        return undefined;
      } catch (error) {
        return errorCode(error);
      }
    };

    test("appending adds at the end, also through a second descriptor, and a cut shortens", async () => {
      const { files, folder } = make();
      const path = `${folder}/a`;
      const [one, two] = [files.openAppend(path, true), files.openAppend(path, false)];
      files.write(one, bytes("one,"), 4);
      files.write(two, bytes("two,rest"), 4);
      files.write(one, bytes("three"), 5);
      expect([await get(files, path), await get(files, path, 8), files.size(two)]).toEqual([
        "one,two,three",
        "three",
        13,
      ]);
      files.truncate(one, 4);
      files.write(one, bytes("on"), 2);
      expect(await get(files, path)).toBe("one,on");
      await files.sync(one);
      await files.syncFolder(folder);
      await files.appendText(path, "!");
      expect(await get(files, path)).toBe("one,on!");
    });

    test("a fresh file must not exist, and what does not exist cannot be read", () => {
      const { files, folder } = make();
      put(files, `${folder}/a`, "x");
      expect(codeOf(() => files.openAppend(`${folder}/a`, true))).toBe("EEXIST");
      expect(codeOf(() => files.openRead(`${folder}/b`))).toBe("ENOENT");
      expect(codeOf(() => files.unlink(`${folder}/b`))).toBe("ENOENT");
      expect(codeOf(() => files.openAppend(`${folder}/no/b`, true))).toBe("ENOENT");
    });

    test("linking refuses a name that is taken, renaming replaces it", async () => {
      const { files, folder } = make();
      for (const letter of ["a", "b"]) put(files, `${folder}/${letter}`, letter);
      expect(codeOf(() => files.link(`${folder}/a`, `${folder}/b`))).toBe("EEXIST");
      files.link(`${folder}/a`, `${folder}/c`);
      files.unlink(`${folder}/a`);
      expect(await get(files, `${folder}/c`)).toBe("a");
      files.rename(`${folder}/c`, `${folder}/b`);
      expect([files.list(folder), await get(files, `${folder}/b`)]).toEqual([["b"], "a"]);
    });

    test("folders are made once; names and facts are told, also of nothing", () => {
      const { files, folder } = make();
      expect([files.makeFolder(`${folder}/f`), files.makeFolder(`${folder}/f`)]).toEqual([true, false]);
      put(files, `${folder}/f/x`, "12345");
      files.touch(`${folder}/f/x`);
      expect(files.list(`${folder}/f`)).toEqual(["x"]);
      expect([files.list(`${folder}/none`), files.list(`${folder}/f/x`)]).toEqual([[], []]);
      expect(files.look(`${folder}/f`)?.kind).toBe("folder");
      expect(files.look(`${folder}/f/x`)).toMatchObject({ kind: "file", size: 5 });
      expect(files.look(`${folder}/none`)).toBeUndefined();
    });
  });
}
