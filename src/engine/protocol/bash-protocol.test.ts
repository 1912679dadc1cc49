import { describe, expect, test } from "vitest";
import { engine, realProcesses } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import type { CallId } from "../../core/ids.ts";
import { type Message, text, textOf } from "../../core/messages.ts";
import type { Model, ModelPart, ModelRequest } from "../../ports/model.ts";
import type { Processes } from "../../ports/processes.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { type ScriptedModel, scripted } from "../../testing/scripted-model.ts";
import { calls, refuses, says } from "../../testing/wire-server/script.ts";
import { protocolBash } from "../tools/protocol-bash.ts";
import { bashProtocolModel } from "./bash-protocol-model.ts";
import { createPlainMessages } from "./plain-messages.ts";

const runs = (command: string) => says(`I act.\n\n\`\`\`bash\n${command}\n\`\`\``);
const final = (words: string) => runs(`echo 'MINI_SWE_AGENT_FINAL_OUTPUT\n${words}'`);
const spawn = (agent: string, task: string) => runs(`echo "MINI_SWE_AGENT_SPAWN_CHILD::${agent}\n${task}"`);
let uuids = 0;
const chat = (model: Model): Model => bashProtocolModel(model, seededRandom(++uuids));

/** Answers every conversation from its own first words and turn. */
function answering(turns: (task: string, turn: number) => ReturnType<typeof says>): Model & { seen: ModelRequest[] } {
  const seen: ModelRequest[] = [];
  return {
    id: "scripted/chat",
    provider: "scripted",
    seen,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      seen.push(request);
      const turn = request.messages.filter((message) => message.role === "assistant").length;
      yield* scripted([turns(lastWords(request.messages.slice(0, 1)), turn)]).stream(request, signal);
    },
  };
}

function lastWords(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last?.role === "user" ? textOf(last.content) : "";
}
const told = (model: ScriptedModel, n: number): string => lastWords(model.requests[n]?.messages ?? []);

function chatEngine(model: Model, more: Partial<Parameters<typeof engine>[0]> = {}) {
  return engine({
    model: chat(model),
    tools: [protocolBash(true)],
    processes: realProcesses(),
    mode: "yolo",
    ...more,
    ...(more.children && {
      children: Object.fromEntries(Object.entries(more.children).map(([name, child]) => [name, chat(child)])),
    }),
  });
}

describe("the bash protocol in the loop", () => {
  test("A1: one block is run in a fresh shell, its code and output are told, and the history is plain and alternates", async () => {
    const model = scripted([runs("X=1; echo out; echo err >&2; exit 3"), runs("echo [$X]"), final("done\nreally")]);
    const e = chatEngine(model);
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "done\nreally", turns: 3, toolCalls: 3 });
    model.finish();
    expect(told(model, 1)).toBe("<returncode>3</returncode>\n<output>\nout\nerr\n</output>");
    expect(told(model, 2)).toBe("<returncode>0</returncode>\n<output>\n[]\n</output>");
    expect(model.requests.map((request) => request.tools)).toEqual([[], [], []]);
    expect(model.requests[2]?.messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    expect(e.events.some((event) => event.type === "text.delta")).toBe(true);
  });

  test("A1: a long output keeps its head and tail", async () => {
    const model = scripted([runs("seq 1 20000"), final("ok")]);
    await chatEngine(model).ask("go");
    expect(told(model, 1)).toMatch(
      /<output>\n1\n2\n[\s\S]*bytes left out[\s\S]*\n20000\n+\[whole output: .*\]\n<\/output>$/,
    );
  });

  test("A1: no block and two blocks are told as format errors, and the third in a row ends the run failed", async () => {
    const two = says("```bash\ntouch one\n```\n```bash\ntouch two\n```");
    const model = scripted([says("Done!"), two, says("")]);
    const e = chatEngine(model);
    expect(await e.ask("go")).toMatchObject({ status: "failed", error: { code: "malformed-calls" } });
    model.finish();
    expect(told(model, 1)).toMatch(/found 0 actions.*EXACTLY ONE/);
    expect(told(model, 2)).toMatch(/found 2 actions/);
    expect(e.types()).not.toContain("tool.started");
  });

  test("A1: a good action between format errors starts the count anew", async () => {
    const model = scripted([says("a"), says("b"), runs("true"), says("c"), says("d"), final("ok")]);
    expect(await chatEngine(model).ask("go")).toMatchObject({ status: "succeeded", output: "ok" });
  });

  test("A1: a reply that was cut short is not run, and a refusal ends the run as refused", async () => {
    const model = scripted([says("```bash\ntouch half\n```", { finish: "length" }), refuses("no")]);
    const e = chatEngine(model);
    expect((await e.ask("go")).status).toBe("refused");
    expect(told(model, 1)).toContain("cut short");
    expect(e.types().filter((type) => type === "tool.ended")).toHaveLength(1);
    expect(e.types()).not.toContain("tool.started");
  });

  test("A2: the echo starts that child with a fresh context, and its report is the command's output", async () => {
    const lead = scripted([spawn("reviewer", "Review a.txt"), final("all in")]);
    const child = scripted([runs("cat a.txt"), final("It says alpha.")]);
    const e = chatEngine(lead, { children: { reviewer: child } });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "all in" });
    child.finish();
    expect(lastWords(child.requests[0]!.messages)).toBe("Review a.txt");
    expect(told(lead, 1)).toMatch(
      /^<returncode>0<\/returncode>\n<output>\n\[child ROOT::S1 [\s\S]*It says alpha\.\n<\/output>$/,
    );
  });

  test("A2, A5: a child may have a child: ROOT::S1::S1, whose result reaches its parent and then the lead", async () => {
    const lead = scripted([spawn("a", "outer"), final("ok")]);
    const child = answering((task, turn) => {
      if (task === "inner") return final("from the depth");
      return turn === 0 ? spawn("a", "inner") : final("outer is done");
    });
    const e = chatEngine(lead, { children: { a: child } });
    await e.ask("go");
    expect([...e.writer.state.sessions.values()].map(({ path }) => path)).toEqual(["ROOT", "ROOT::S1", "ROOT::S1::S1"]);
    expect(child.seen.map(({ messages }) => lastWords(messages)).join("\n")).toContain("from the depth");
    expect(told(lead, 1)).toContain("outer is done");
  });

  test("A2: a grep or a cat that shows the word, and near misses, start and end nothing; near misses get a note", async () => {
    const model = scripted([
      runs(`cat > doc.md <<'EOF'\nMINI_SWE_AGENT_SPAWN_CHILD::a\ntask\nMINI_SWE_AGENT_FINAL_OUTPUT\nEOF`),
      runs("grep -n MINI_SWE_AGENT doc.md"),
      runs("cat doc.md"),
      runs(`cd . && echo "MINI_SWE_AGENT_SPAWN_CHILD::a\ntask"`),
      runs(`printf "MINI_SWE_AGENT_FINAL_OUTPUT\\nresult"`),
      runs('echo "MINI_SWE_AGENT_SPAWN_CHILD::a\nlook at `nowhere.ts`"'),
      final("end"),
    ]);
    const e = chatEngine(model, { children: { a: scripted([]) } });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "end", turns: 7 });
    expect(e.types()).not.toContain("child.started");
    expect(told(model, 2)).not.toContain("<note>");
    expect(told(model, 3)).not.toContain("<note>");
    expect(told(model, 4)).toMatch(/<note>No child was started.*nothing before or after it/);
    expect(told(model, 5)).toMatch(/<note>Nothing was ended.*not printf/);
    expect(told(model, 6)).toMatch(/<note>Nothing was started.*first line.*single quotes/);
  });

  test("A3: no name, an unknown name and no task are errors that are told; the run goes on", async () => {
    const model = scripted([
      runs(`echo "MINI_SWE_AGENT_SPAWN_CHILD\ntask"`),
      spawn("nobody", "task"),
      runs(`echo "MINI_SWE_AGENT_SPAWN_CHILD::a"`),
      final("end"),
    ]);
    const e = chatEngine(model, { children: { a: scripted([]) } });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded" });
    expect(told(model, 1)).toMatch(/<returncode>1<[\s\S]*A spawn needs a name/);
    expect(told(model, 2)).toContain("there is no agent nobody");
    expect(told(model, 3)).toContain("the task goes on the lines after the name");
    expect(e.types()).not.toContain("child.started");
  });

  test("A2: an agent that may not have children is told so", async () => {
    const model = scripted([spawn("a", "task"), final("end")]);
    await chatEngine(model, { children: { a: scripted([]) }, tools: [protocolBash(false)] }).ask("go");
    expect(told(model, 1)).toContain("may not have children");
  });

  test("A4: a result without lines ends as empty, never as success", async () => {
    expect(await chatEngine(scripted([runs("echo MINI_SWE_AGENT_FINAL_OUTPUT")])).ask("go")).toMatchObject({
      status: "empty",
      output: "",
    });
  });

  test("A4: the agent can end also where nobody may be asked, but not with what the shell would run", async () => {
    const model = scripted([runs('echo "MINI_SWE_AGENT_FINAL_OUTPUT\n$(touch x)"'), final("plain")]);
    const e = chatEngine(model, { mode: "confirm" });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "plain" });
    expect(told(model, 1)).toContain("Bash was refused");
  });

  test("A2, A4: the right words with another return code than 0, or from a command that timed out, mean nothing", async () => {
    const exits = [
      { code: 1, signal: null, ended: null, durationMs: 1 },
      { code: null, signal: "SIGKILL", ended: "timeout", durationMs: 1 },
    ] as const;
    let at = 0;
    const processes: Processes = {
      lacks: async () => undefined,
      ownership: async () => "keeper",
      run: async ({ command }, onOutput) => {
        onOutput(Buffer.from(`${/'([^']*)'/.exec(command)?.[1]}\n`));
        return exits[at++] ?? { code: 0, signal: null, ended: null, durationMs: 1 };
      },
    };
    const model = scripted([final("a"), final("b"), final("c")]);
    expect(await chatEngine(model, { processes }).ask("go")).toMatchObject({
      status: "succeeded",
      output: "c",
      turns: 3,
    });
    expect(told(model, 1)).toMatch(/^<returncode>1<[\s\S]*<note>Nothing was started or ended: .*return code 0/);
    expect(told(model, 2)).toMatch(/^<returncode>none: ended after its time limit of 120 s</);
  });

  test("a session that had ended can be spoken to again", async () => {
    const base = chatEngine(scripted([final("first")]));
    await base.ask("one");
    const model = scripted([final("second")]);
    expect(await chatEngine(model, { lines: base.lines }).ask("two")).toMatchObject({ output: "second" });
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/one.*first.*two/);
  });

  test("X9: cut after any event, also while the child works, it goes on to the same end with one child, and no command is begun twice", async () => {
    const leadScript = [spawn("a", "work"), final("all in")];
    const childScript = [runs("echo child >> ledger"), final("worked")];
    const replied = (lines: readonly string[], path: string) =>
      lines
        .map((line) => JSON.parse(line) as Recorded)
        .filter((event) => event.type === "assistant.replied" && event.path === path).length;
    const base = chatEngine(scripted(leadScript), { children: { a: scripted(childScript) } });
    expect(await base.ask("go")).toMatchObject({ status: "succeeded", output: "all in" });
    const first = base.lines.findIndex((line) => line.includes('"run.started"'));
    for (let n = first + 1; n < base.lines.length; n++) {
      const lines = base.lines.slice(0, n);
      const last = JSON.parse(lines.at(-1)!) as Recorded;
      const e = chatEngine(scripted(leadScript.slice(replied(lines, "ROOT"))), {
        lines: [...lines],
        children: { a: scripted(childScript.slice(replied(lines, "ROOT::S1"))) },
      });
      const result = await (await e.start()).result;
      expect(result, `cut after ${n} (${last.type} of ${last.path})`).toMatchObject({
        status: "succeeded",
        output: "all in",
      });
      expect(e.writer.state.sessions.size, `agents when cut after ${n}`).toBe(2);
      const begun = e.lines.filter((line) => line.includes('"tool.started"') && line.includes(">> ledger"));
      expect(begun, `commands begun when cut after ${n}`).toHaveLength(1);
    }
  });
});

describe("the messages a model without tools is sent", () => {
  const call = (tool: string, input: Record<string, string>): Message => ({
    role: "assistant",
    content: [{ type: "call", call: "c" as CallId, tool, input }],
  });
  const result = (said: string): Message => ({
    role: "tool",
    results: [{ call: "c" as CallId, tool: "Bash", content: [text(said)], failed: false }],
  });

  test("A1, A6: what a person typed, and calls of other tools, are shown as blocks and words; user messages are joined", () => {
    const plain = createPlainMessages();
    const messages: Message[] = [
      { role: "user", content: [text("one")] },
      { role: "user", content: [text("two")] },
      call("Bash", { command: "ls" }),
      result("a.txt"),
      { role: "user", content: [text("and now?")] },
      call("Read", { file_path: "a.txt" }),
      result("alpha"),
      { role: "assistant", content: [] },
    ];
    const sent = plain(messages);
    expect(sent.map((message) => (message.role === "tool" ? "" : textOf(message.content)))).toEqual([
      "one\n\ntwo",
      "```bash\nls\n```",
      "a.txt\n\nand now?",
      '[called Read: {"file_path":"a.txt"}]',
      "alpha",
      "(an empty reply)",
    ]);
    const again = plain([...messages, { role: "user", content: [text("more")] }]);
    expect(again.slice(0, 6).map((message, n) => message === sent[n])).toEqual(Array(6).fill(true));
  });

  test("a request without tools, as for a summary, is answered in words only", async () => {
    const parts: ModelPart[] = [];
    const request = { system: "", messages: [{ role: "user" as const, content: [text("sum up")] }], tools: [] };
    const model = chat(scripted([says("```bash\nrm x\n```")]));
    for await (const part of model.stream(request, new AbortController().signal)) parts.push(part);
    expect(parts.at(-1)).toMatchObject({ type: "reply", reply: { content: [{ type: "text" }] } });
    expect(parts.filter((part) => part.type === "reply")[0]?.reply.content).toHaveLength(1);
  });

  test("calls that come although none were offered are not made", async () => {
    const model = scripted([calls("Bash", { command: "touch x" }), final("ok")]);
    const e = chatEngine(model);
    await e.ask("go");
    expect(told(model, 1)).toContain("found 0 actions");
  });
});
