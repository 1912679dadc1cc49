// Replaces a text in bytes, so that everything else in the file stays as it is, valid UTF-8 or not.

export type Replaced = { readonly bytes: Uint8Array; readonly count: number };

/** In a file with CRLF line ends a text with plain ones is meant with the file's own. */
export function replaceBytes(file: Uint8Array, from: string, to: string): Replaced {
  const whole = Buffer.from(file.buffer, file.byteOffset, file.length);
  const exact = replaceAll(whole, from, to);
  if (exact.count > 0 || !from.includes("\n") || from.includes("\r") || !whole.includes("\r\n")) return exact;
  return replaceAll(whole, from.replaceAll("\n", "\r\n"), to.replaceAll(/\r?\n/g, "\r\n"));
}

function replaceAll(file: Buffer, from: string, to: string): Replaced {
  const [search, replacement] = [Buffer.from(from), Buffer.from(to)];
  const parts: Buffer[] = [];
  let at = 0;
  for (let found = file.indexOf(search); found >= 0; found = file.indexOf(search, at)) {
    parts.push(file.subarray(at, found), replacement);
    at = found + search.length;
  }
  return { bytes: Buffer.concat([...parts, file.subarray(at)]), count: parts.length / 2 };
}
