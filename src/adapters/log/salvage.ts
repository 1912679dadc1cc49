// Finds whole records inside a line that is not one: glued to a fragment, to each other, or with zero blocks between.
import type { Recorded } from "../../core/events.ts";
import { parseRecord } from "./record.ts";

/** How every record begins. Inside a string the quotes are escaped, so text can never look like this. */
const opening = Buffer.from('{"v":');
const [quote, backslash, open, close, zero] = [0x22, 0x5c, 0x7b, 0x7d, 0];
/** Each false start costs a scan: a hostile line must not cost its length squared. */
const maxFalseStarts = 200;

export function salvage(line: Uint8Array): readonly Recorded[] {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const found: Recorded[] = [];
  let falseStarts = 0;
  let at = bytes.indexOf(opening);
  while (at !== -1 && falseStarts < maxFalseStarts) {
    const end = objectEnd(bytes, at);
    const parsed = end !== undefined && standsAlone(bytes, end) ? parseRecord(bytes.subarray(at, end)) : undefined;
    if (parsed?.is === "record") found.push(parsed.record);
    else falseStarts++;
    at = bytes.indexOf(opening, parsed?.is === "record" && end !== undefined ? end : at + 1);
  }
  return found;
}

/** A nested object that looks like a record is followed by the rest of its parent; a record never is. */
const standsAlone = (bytes: Buffer, end: number): boolean =>
  end === bytes.length || bytes[end] === zero || bytes.subarray(end, end + opening.length).equals(opening);

function objectEnd(bytes: Buffer, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === zero) return undefined;
    if (inString) {
      if (byte === backslash) i++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === open) depth++;
    else if (byte === close && --depth === 0) return i + 1;
  }
  return undefined;
}
