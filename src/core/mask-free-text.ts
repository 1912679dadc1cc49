// Masks what people, models and tools said in an event or a result, and leaves alone what the engine reads again: ids,
// names, places and states. A key that is an ordinary word must not make a session unreadable.
import { isObject } from "./json.ts";
import type { Mask } from "./mask.ts";

/** The same object when there is nothing to hide. */
export function maskFreeText<T>(mask: Mask, value: T): T {
  return walk(mask, value) as T;
}

/** Fields by which events refer to each other and to the world. */
const STRUCTURE: ReadonlySet<string> = new Set(
  (
    "type session path parent run call tool tools child childPath spawnedBy agent capability model models protocol " +
    "binding mode status version trigger from how kind finish code by for mediaType transcript effort addDirs toolCalls " +
    "id item to may approvals"
  ).split(" "),
);
const FAILURES: ReadonlySet<unknown> = new Set(["refused", "failed", "interrupted"]);
/** Free-form data: everything in it is said, whatever its fields are called. */
const SAID: ReadonlySet<string> = new Set(["details", "structured", "facts", "opaque", "files"]);

function walk(mask: Mask, value: unknown): unknown {
  if (typeof value === "string") return mask.text(value);
  if (Array.isArray(value)) return walkList(mask, value);
  return isObject(value) ? walkFields(mask, value) : value;
}

function walkList(mask: Mask, list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [at, one] of list.entries()) {
    const masked = walk(mask, one);
    if (masked !== one) (copy ??= [...list])[at] = masked;
  }
  return copy ?? list;
}

function walkFields(mask: Mask, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const masked = maskField(mask, name, value);
    if (masked !== value) (copy ??= { ...fields })[name] = masked;
  }
  return copy ?? fields;
}

function maskField(mask: Mask, name: string, value: unknown): unknown {
  // A call's input is an object and said by a model; the input of a mailbox is an id.
  if (name === "input") return typeof value === "string" ? value : mask.json(value);
  // How a child runs stands under the same name as a child's id.
  if (name === "child" && isObject(value)) return walk(mask, value);
  // Of a call it is one of a few words; of a pause it is a sentence.
  if (name === "why" && FAILURES.has(value)) return value;
  if (STRUCTURE.has(name)) return value;
  return SAID.has(name) ? mask.json(value) : walk(mask, value);
}
