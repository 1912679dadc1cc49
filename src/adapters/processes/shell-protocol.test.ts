import { expect, test } from "vitest";
import { readExitReport } from "./shell-protocol.ts";

const job = '"$@" 2>&1 3>&-';

test.each([
  ["a plain end", `ready\n[1]+  Done                    ${job}\ncode 0\n`, { code: 0, signal: null }],
  ["a code", `ready\n[1]+  Exit 3                  ${job}\ncode 3\n`, { code: 3, signal: null }],
  ["a code above 128", `ready\n[1]+  Exit 137                ${job}\ncode 137\n`, { code: 137, signal: null }],
  ["the same in another language", `ready\n[1]+  Salida 137    ${job}\ncode 137\n`, { code: 137, signal: null }],
  [
    "a signal",
    `ready\nsous: line 8:     2 Killed                  ${job}\ncode 137\n`,
    { code: null, signal: "SIGKILL" },
  ],
  [
    "a signal to the process 137",
    `ready\nsous: line 8:   137 Killed       ${job}\ncode 137\n`,
    { code: null, signal: "SIGKILL" },
  ],
  [
    "a nameless signal",
    `ready\nsous: line 8: 2 Real-time signal 1   ${job}\ncode 163\n`,
    { code: null, signal: "SIG35" },
  ],
  [
    "a stop, then a code",
    `ready\n[1]+  Stopped   ${job}\n[1]+  Exit 130    ${job}\ncode 130\n`,
    { code: 130, signal: null },
  ],
  ["a shell that says nothing more", "ready\ncode 137\n", { code: 137, signal: null }],
  ["no report", `ready\n[1]+  Stopped   ${job}\n`, undefined],
])("%s is read from the report", (_name, report, exit) => {
  expect(readExitReport(report)).toEqual(exit);
});
