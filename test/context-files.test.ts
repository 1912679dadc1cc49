// The files that a child is handed with its task, through the built command.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call, callsAll, responder, says } from "../src/testing/wire-server/script.ts";
import { resultIn, world } from "./e2e-kit.ts";

const script = (contextFiles: string[]) =>
  responder((request) => {
    const [first] = (request.body as { messages: unknown[] }).messages;
    if (JSON.stringify(first).includes("study these")) return says("studied");
    return request.turn === 1
      ? callsAll(call("spawn_subagent", { prompt: "study these", contextFiles }))
      : says("all in");
  });

test("C4, P.F02: context files come with their paths; one that is missing, too large, denied or outside is told and stops nothing", async () => {
  const files = [
    "notes/a.txt",
    "gone.txt",
    "long.txt",
    "secret/key.txt",
    "notes/door.txt",
    "../outside.txt",
    "~x/y",
    "notes",
  ];
  await using w = await world(script(files));
  const project = w.dir.join("project");
  mkdirSync(`${project}/notes`, { recursive: true });
  mkdirSync(`${project}/secret`);
  writeFileSync(`${project}/notes/a.txt`, "alpha is the first\n");
  writeFileSync(`${project}/long.txt`, "one more line\n".repeat(20_000));
  writeFileSync(`${project}/secret/key.txt`, "CANARY-1\n");
  symlinkSync("../secret/key.txt", `${project}/notes/door.txt`);
  writeFileSync(w.dir.join("outside.txt"), "CANARY-2\n");
  const ran = await w.sous(
    ["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "--deny", "Read(secret/**)", "the lead"],
    { cwd: project },
  );
  expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "all in" });
  const child = w.server.requests.find(
    ({ body }) => JSON.stringify(body).includes("study these") && !JSON.stringify(body).includes("the lead"),
  );
  const { messages } = child!.body as { messages: { content: { text: string }[] }[] };
  const text = messages[0]?.content.map((part) => part.text).join("\n") ?? "";
  expect(text).toContain('<file path="notes/a.txt">\nalpha is the first\n</file>');
  expect(text).toContain('<file path="long.txt" note="cut: read the rest yourself">\none more line');
  expect(text.length).toBeLessThan(70_000);
  expect(text).toMatch(/\[gone\.txt was not read: .*does not exist\]/);
  for (const hidden of ["secret/key.txt", "notes/door.txt"])
    expect(text).toContain(`[${hidden} was not read: the rule Read(secret/**) denies it]`);
  expect(text).toMatch(/\[\.\.\/outside\.txt was not read: .* is outside the workspace/);
  expect(text).toMatch(/\[~x\/y was not read: .*only a shell knows/);
  expect(text).toMatch(/\[notes was not read: /);
  expect(JSON.stringify(w.server.requests.map(({ body }) => body))).not.toContain("CANARY");
  // Its parent gave the paths, and can put them right.
  const told = JSON.stringify(w.server.requests.at(-1)?.body);
  expect(told).toMatch(/\[context file gone\.txt was not read: [^\]]*does not exist\]/);
  expect(told).toContain("[context file long.txt is too long to be handed on whole: the child got its beginning]");
  expect(told).toContain("[context file secret/key.txt was not read: the rule Read(secret/**) denies it]");
  expect(told).not.toContain("context file notes/a.txt");
});
