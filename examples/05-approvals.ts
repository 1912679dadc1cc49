// Calls that are not safe ask a callback. Prints each question and its answer; one file is written, the other is not.
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "sous";
import { calls, says, scripted } from "sous/testing";

const cwd = mkdtempSync(join(tmpdir(), "approvals-"));
const model = scripted([
  calls("Write", { file_path: "notes.md", content: "Salt the water.\n" }),
  calls("Write", { file_path: ".env", content: "TOKEN=1\n" }),
  says("I wrote the notes; the other file I may not write."),
]);
await using host = createHost({
  model,
  person: {
    approve({ path, tool, input, because }) {
      const allow = input["file_path"] === "notes.md";
      console.log(`${path} wants ${tool} ${String(input["file_path"])} (${because}): ${allow ? "yes" : "no"}`);
      return allow ? { allow } : { allow, reason: "secrets are not for agents" };
    },
  },
});
console.log((await host.run({ prompt: "Write down what you know.", cwd })).output);
console.log(["notes.md", ".env"].filter((name) => existsSync(join(cwd, name))));
