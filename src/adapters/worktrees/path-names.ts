// Names of files as git lists them: bytes, of which any may be no text. Each byte is one character in between, so that
// two names are never taken for one another.

export const listedNames = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes).toString("latin1").split("\0").filter(Boolean);

export const nameBytes = (name: string): Buffer => Buffer.from(name, "latin1");

/** undefined: it is not UTF-8, so that no program that names files by text can write it. */
export function nameText(name: string): string | undefined {
  const bytes = nameBytes(name);
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

/** What is not UTF-8 as git writes it: each odd byte by its number. */
export const shownName = (name: string): string =>
  nameText(name) ?? name.replace(/[^\x20-\x7e]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
