// A call in a few words for people: the tool, and what it is about.
import type { BadCallPart, CallPart } from "./messages.ts";

export function callWords(part: CallPart | BadCallPart, most = 80): string {
  const { command, file_path: file, url, pattern } = part.type === "call" ? part.input : {};
  const what = [command, file, url, pattern].find((one) => typeof one === "string");
  return cutLine(`${part.tool}${typeof what === "string" ? ` ${what}` : ""}`, most);
}

export function cutLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
