import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { after } from "./long-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const day = 24 * 3_600_000;

test("a timer of 60 days fires after 60 days, and not before", () => {
  const act = vi.fn<() => void>();
  after(60 * day, act);
  vi.advanceTimersByTime(60 * day - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledTimes(1);
});

test("an endless one never fires, and a cancelled one neither, also after it was armed again", () => {
  const act = vi.fn<() => void>();
  after(Number.POSITIVE_INFINITY, act);
  const cancel = after(60 * day, act);
  vi.advanceTimersByTime(59 * day);
  cancel();
  vi.advanceTimersByTime(100 * day);
  expect(act).not.toHaveBeenCalled();
});

test("a short one fires when due", () => {
  const act = vi.fn<() => void>();
  after(5, act);
  vi.advanceTimersByTime(5);
  expect(act).toHaveBeenCalledTimes(1);
});
