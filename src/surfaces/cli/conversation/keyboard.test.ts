// Who gets what is typed, under every order of keys and questions.
import { describe, expect, test } from "vitest";
import { currentLine, type KeyboardEvent, newKeyboard, PASTE_MS, step, STILL_MS, type Submitted } from "./keyboard.ts";
import { isYes } from "./console.ts";
import { asPaste } from "./read-keys.ts";
import { type Key, lineText } from "./typed-line.ts";

const text = (letter: string): Key => ({ is: "text", text: letter });
const ENTER: Key = { is: "enter" };

/** Plays events as the console does: it looks whenever a look is due. */
function play(events: readonly KeyboardEvent[]): { submitted: (Submitted & { at: number })[]; draft: string } {
  let board = newKeyboard();
  const submitted: (Submitted & { at: number })[] = [];
  for (const event of events) {
    if (event.at - board.restless >= STILL_MS) ({ board } = step(board, { type: "looked", at: event.at }));
    const done = step(board, event);
    ({ board } = done);
    if (done.submitted) submitted.push({ ...done.submitted, at: event.at });
  }
  return { submitted, draft: lineText(board.draft) };
}

const keys = (at: number, ...pressed: Key[]): KeyboardEvent[] =>
  pressed.map((key, n) => ({ type: "key", key, at: at + n * 100 }));
const asked = (id: number, at: number): KeyboardEvent => ({ type: "asked", id, at });
const ended = (id: number, at: number): KeyboardEvent => ({ type: "withdrawn", id, at });

describe("P.B12: what is typed", () => {
  test("before a question was shown goes to the prompt", () => {
    const { submitted } = play([...keys(0, text("y"), ENTER), asked(1, 300), ...keys(900, ENTER)]);
    expect(submitted).toMatchObject([
      { to: "prompt", text: "y" },
      { to: "question", id: 1, text: "" },
    ]);
  });

  test("in one go while the question appears stays at the prompt, whole", () => {
    const { submitted, draft } = play([
      ...keys(0, text("w"), text("h")),
      asked(1, 150),
      ...keys(200, text("y"), ENTER, text("y")),
    ]);
    expect(submitted).toMatchObject([{ to: "prompt", text: "why" }]);
    expect(draft).toBe("y");
  });

  test("for a first question never answers a second that took its place, and is not sent to the agent", () => {
    const { submitted, draft } = play([
      asked(1, 0),
      ...keys(1000, text("y")),
      ended(1, 1050),
      asked(2, 1060),
      ...keys(1100, ENTER, text("y"), ENTER),
    ]);
    expect(submitted).toEqual([]);
    expect(draft).toBe("y");
  });

  test("after it could be read is the answer; a paste is told apart, also where the terminal does not mark it", () => {
    expect(play([asked(1, 0), ...keys(STILL_MS, text("y"), ENTER)]).submitted).toMatchObject([
      { to: "question", id: 1, text: "y", pasted: false },
    ]);
    const pasted = play([asked(1, 0), ...keys(500, { is: "paste", text: "y\n" }, ENTER)]);
    expect(pasted.submitted).toMatchObject([{ to: "question", pasted: true }]);
    const unmarked = [text("y"), ENTER].map((key): KeyboardEvent => ({ type: "key", key, at: 500 }));
    expect(play([asked(1, 0), ...unmarked]).submitted).toEqual([]);
  });

  test("text with an Enter in its middle that comes in one read is one paste", () => {
    expect(asPaste([text("a"), ENTER, text("y"), ENTER])).toEqual([{ is: "paste", text: "a\ny" }, ENTER]);
    expect(asPaste([text("y"), ENTER])).toEqual([text("y"), ENTER]);
  });

  test("a paste at the prompt is told apart too, marked or not: it switches nothing to yolo", () => {
    const paste: KeyboardEvent = { type: "key", key: { is: "paste", text: "/y" }, at: 0 };
    expect(play([paste, ...keys(1000, ENTER)]).submitted).toMatchObject([{ to: "prompt", text: "/y", pasted: true }]);
    const quick: KeyboardEvent[] = [text("/"), text("y"), ENTER].map((key, n) => ({ type: "key", key, at: n }));
    expect(play(quick).submitted).toMatchObject([{ to: "prompt", text: "/y", pasted: true }]);
    expect(play(keys(0, text("/"), text("y"), ENTER)).submitted).toMatchObject([{ to: "prompt", pasted: false }]);
    expect(["/y", " yes ", "A", "/yolo"].map((one) => isYes({ text: one, pasted: true }))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["/c", "no", "yes but", "/u"].map((one) => isYes({ text: one, pasted: true }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

test("P.B12: in any order of keys, pastes and questions an answer was typed after its question could be read, and nothing typed is lost", () => {
  const rounds = Number(process.env["SOAK"] ?? 0) > 0 ? 50_000 : 2_000;
  let seed = 20_261_117;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let answers = 0;
  const early: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let board = newKeyboard();
    let at = 1_000;
    let id = 0;
    let shownAt = 0;
    let waits = false;
    let lastKey = 0;
    let gave = "";
    let got = "";
    for (let move = 0; move < 40; move++) {
      at += [0, 1, PASTE_MS, 120, STILL_MS, 900][random(6)] ?? 0;
      ({ board } = step(board, { type: "looked", at }));
      const what = random(8);
      if (what === 0) {
        if (waits) ({ board } = step(board, { type: "withdrawn", id, at }));
        else {
          id++;
          shownAt = at;
          ({ board } = step(board, { type: "asked", id, at }));
        }
        waits = !waits;
        continue;
      }
      const toPrompt = board.question?.open !== true;
      const key: Key = what < 4 ? ENTER : what === 4 ? { is: "paste", text: "y\ny" } : text(what === 5 ? "y" : "x");
      if (toPrompt && key.is !== "enter" && "text" in key) gave += key.text;
      const { board: next, submitted } = step(board, { type: "key", key, at });
      if (submitted?.to === "prompt") got += submitted.text;
      if (submitted?.to === "question") {
        answers++;
        const inTime = waits && submitted.id === id && at - shownAt >= STILL_MS && at - lastKey >= PASTE_MS;
        if (!inTime || (!submitted.pasted && submitted.text.includes("\n"))) early.push(round);
        ({ board } = step(next, { type: "withdrawn", id, at }));
        waits = false;
      } else board = next;
      lastKey = at;
    }
    if (board.question?.open) ({ board } = step(board, { type: "withdrawn", id, at }));
    expect(got + lineText(currentLine(board)), `round ${round}`).toBe(gave);
  }
  expect(early).toEqual([]);
  expect(answers).toBeGreaterThan(rounds / 10);
});
