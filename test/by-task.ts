// A scripted model for many conversations at once: each is answered by the script whose name stands in its first words,
// from how far it has come, so that the answers are the same after any resume.
import { responder } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";

/** Once a conversation has the words of `told` in it, it is answered with that. */
export const byTask = (scripts: Record<string, readonly Step[]>, told: Record<string, Step> = {}) =>
  responder(({ turn, body }) => {
    const heard = Object.keys(told).find((words) => JSON.stringify(body).includes(words));
    if (heard !== undefined) return told[heard];
    const first = JSON.stringify((body as { messages: unknown[] }).messages[0]);
    const task = Object.keys(scripts).find((name) => first.includes(name));
    return task === undefined ? undefined : scripts[task]?.[Math.min(turn, scripts[task].length) - 1];
  });
