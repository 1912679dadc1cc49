// The log's file operations on the real file system.
import * as fs from "node:fs";
import type { FileFacts, LogFiles } from "../../ports/log-files.ts";
import { errorCode } from "../../ports/log-files.ts";

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = fs.constants;

export const nodeFiles: LogFiles = {
  openAppend(path, fresh) {
    const existed = !fresh && fs.existsSync(path);
    const fd = fs.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | (fresh ? O_EXCL : 0), 0o600);
    // The mode above was cut by the umask, which may have taken our own bits too.
    if (!existed) fs.fchmodSync(fd, 0o600);
    return fd;
  },
  openRead: (path) => fs.openSync(path, O_RDONLY | O_NOFOLLOW),
  close: (fd) => fs.closeSync(fd),
  write: (fd, bytes, length) => fs.writeSync(fd, bytes, 0, length),
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  size: (fd) => fs.fstatSync(fd).size,

  async read(fd, into, at) {
    let got = 0;
    while (got < into.length) {
      const n = await readOnce(fd, into, got, at + got);
      if (n === 0) break;
      got += n;
    }
    return got;
  },

  sync: (fd) => new Promise((resolve, reject) => fs.fdatasync(fd, (error) => (error ? reject(error) : resolve()))),

  async syncFolder(path) {
    const folder = await fs.promises.open(path, O_RDONLY | O_DIRECTORY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },

  async appendText(path, text) {
    const fd = nodeFiles.openAppend(path, false);
    try {
      await appendAll(fd, Buffer.from(text));
    } finally {
      fs.closeSync(fd);
    }
  },

  makeFolder(path) {
    try {
      fs.mkdirSync(path, 0o700);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
    fs.chmodSync(path, 0o700);
    return true;
  },

  list(path) {
    try {
      return fs.readdirSync(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return [];
      throw error;
    }
  },

  look(path) {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    return stats && { kind: kindOf(stats), size: stats.size, modified: stats.mtimeMs };
  },

  link: (from, to) => fs.linkSync(from, to),
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  touch(path) {
    const now = new Date();
    fs.utimesSync(path, now, now);
  },
};

function readOnce(fd: number, into: Uint8Array, offset: number, position: number): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.read(fd, into, offset, into.length - offset, position, (error, n) => (error ? reject(error) : resolve(n))),
  );
}

async function appendAll(fd: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += await new Promise<number>((resolve, reject) =>
      fs.write(fd, bytes, at, bytes.length - at, null, (error, n) => (error ? reject(error) : resolve(n))),
    );
  }
}

function kindOf(stats: fs.Stats): FileFacts["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}
