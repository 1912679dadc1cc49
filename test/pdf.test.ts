// A PDF that an agent reads, as each provider takes it.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { world } from "./e2e-kit.ts";

const bytes = Buffer.from("%PDF-1.7\n\0 not much of one");
const data = bytes.toString("base64");
const url = `data:application/pdf;base64,${data}`;

test.each([
  ["anthropic/x", { type: "document", source: { type: "base64", media_type: "application/pdf", data } }],
  ["openai/x", { type: "input_file", filename: "document.pdf", file_data: url }],
  ["openai-chat/x", { type: "file", file: { filename: "document.pdf", file_data: url } }],
  ["google/x", { inlineData: { mimeType: "application/pdf", data } }],
])("Read hands a PDF to %s in its own form", async (model, part) => {
  await using w = await world([calls("Read", { file_path: "paper.pdf" }), says("read")]);
  writeFileSync(w.dir.join("paper.pdf"), bytes);
  expect((await w.sous(["run", "-m", model, "what does it say?"])).stdout).toBe("read\n");
  w.server.finish();
  expect(w.server.requests[1]!.text).toContain(JSON.stringify(part));
});
