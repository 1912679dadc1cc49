// The keys of a terminal in raw mode, as the line editor and the conversation know them. A paste is one key, marked by
// the terminal as one (bracketed paste) or seen as one because several lines come in one read.
import { emitKeypressEvents } from "node:readline";
import type { Edit, Key } from "./typed-line.ts";

export type Control = "interrupt" | "end" | "suspend";
export type KeyOrControl = Key | { readonly is: "control"; readonly control: Control };

type Press = { readonly sequence?: string; readonly name?: string; readonly ctrl?: boolean; readonly meta?: boolean };

/** A paste whose end is never marked must not keep the keyboard. */
const PASTE_ENDS_MS = 1_000;

export function readKeys(input: NodeJS.ReadStream, give: (keys: readonly KeyOrControl[]) => void): () => void {
  let presses: Press[] = [];
  let pasting: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const endPaste = (): Key[] => {
    clearTimeout(timer);
    const text = (pasting ?? "").replace(/\r\n?/g, "\n");
    pasting = undefined;
    return text === "" ? [] : [{ is: "paste", text }];
  };
  const flush = (): void => {
    const read = presses;
    presses = [];
    const keys: KeyOrControl[] = [];
    for (const press of read) {
      if (press.name === "paste-start") pasting ??= "";
      else if (press.name === "paste-end") keys.push(...endPaste());
      else if (pasting !== undefined) pasting += press.sequence ?? "";
      else keys.push(...keyOf(press));
    }
    if (pasting !== undefined) {
      clearTimeout(timer);
      timer = setTimeout(() => give(endPaste()), PASTE_ENDS_MS).unref();
    }
    if (keys.length > 0) give(asPaste(keys));
  };
  const heard = (_text: string | undefined, press: Press): void => {
    if (presses.push(press) === 1) queueMicrotask(flush);
  };
  emitKeypressEvents(input);
  input.on("keypress", heard);
  return () => {
    clearTimeout(timer);
    input.off("keypress", heard);
  };
}

/** Text with an Enter in the middle, all in one read, was not typed. */
export function asPaste(keys: readonly KeyOrControl[]): readonly KeyOrControl[] {
  const enters = keys.slice(0, -1).some((key) => key.is === "enter");
  if (!enters || keys.some((key) => key.is === "control" || key.is === "edit")) return keys;
  const last = keys.at(-1);
  const within = last?.is === "enter" ? keys.slice(0, -1) : keys;
  const text = within.map((key) => ("text" in key ? key.text : "\n")).join("");
  return [{ is: "paste", text }, ...(last?.is === "enter" ? [last] : [])];
}

const CONTROLS: Readonly<Record<string, Control>> = { c: "interrupt", d: "end", z: "suspend" };
const CTRL_EDITS: Readonly<Record<string, Edit>> = {
  a: "home",
  b: "left",
  e: "end",
  f: "right",
  h: "backspace",
  k: "clear-after",
  n: "down",
  p: "up",
  u: "clear",
  w: "delete-word",
};
const EDITS: readonly string[] = ["backspace", "delete", "left", "right", "home", "end", "up", "down"] satisfies Edit[];

function keyOf({ sequence = "", name = "", ctrl, meta }: Press): KeyOrControl[] {
  const control = ctrl && Object.hasOwn(CONTROLS, name) ? CONTROLS[name] : undefined;
  if (control) return [{ is: "control", control }];
  const edit = ctrl && Object.hasOwn(CTRL_EDITS, name) ? CTRL_EDITS[name] : undefined;
  if (edit) return [{ is: "edit", edit }];
  if (name === "return" || name === "enter") return [{ is: "enter" }];
  if (EDITS.includes(name)) return [{ is: "edit", edit: name as Edit }];
  if (name === "tab") return [{ is: "text", text: "\t" }];
  // Other keys are for programs that know them.
  return ctrl || meta || /[\p{Cc}]/u.test(sequence) ? [] : [{ is: "text", text: sequence }];
}
