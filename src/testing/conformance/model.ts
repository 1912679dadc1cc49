// What every model adapter must do, against the wire server: one suite for all wires.
import { describe, expect, test } from "vitest";
import { text, type Message, type ReplyPart, type ToolResult } from "../../core/messages.ts";
import type { Reply } from "../../ports/model.ts";
import * as wire from "../wire-server/script.ts";
import type { Script } from "../wire-server/script.ts";
import { modelFaultConformance } from "./model-faults.ts";
import { after, ask, callsIn, collect, id, image, IMAGE, KEY, replyIn, serverFor, strings } from "./model-fixtures.ts";
import type { ModelSuite } from "./model-fixtures.ts";

export function modelConformance(name: string, suite: ModelSuite): void {
  const withServer = serverFor(suite);

  describe(`${name}: a reply`, () => {
    test("comes as deltas and then whole, exactly once and last", () =>
      withServer([wire.says("Grüße an 世界 👩‍🚀, and more words than one piece holds.")], async ({ model }) => {
        const parts = await collect(model, ask());
        expect(parts[0]).toEqual({ type: "connected" });
        const deltas = parts.filter((part) => part.type === "text").map((part) => part.text);
        expect(deltas.length).toBeGreaterThan(1);
        expect(parts.filter((part) => part.type === "reply")).toEqual([parts.at(-1)]);
        const reply = replyIn(parts);
        expect(reply.content.filter((part) => part.type === "text")).toEqual([text(deltas.join(""))]);
        expect(deltas.join("")).toBe("Grüße an 世界 👩‍🚀, and more words than one piece holds.");
        expect(reply.finish).toBe("stop");
        expect(`${model.provider}/${reply.model}`).toBe(model.id);
      }));

    test("is the same when every byte comes alone", () =>
      withServer([wire.drips({ everyMs: 0 }, wire.says("Ö 世 👩‍🚀"))], async ({ model }) => {
        const words = replyIn(await collect(model, ask())).content.filter((part) => part.type === "text");
        expect(words).toEqual([text("Ö 世 👩‍🚀")]);
      }));

    test("tells usage by cache class", () => {
      const usage = { inputTokens: 70, outputTokens: 40, cacheReadTokens: 30, cacheWriteTokens: 5, reasoningTokens: 9 };
      return withServer([wire.says("Hi", { usage })], async ({ model }) => {
        const written = suite.tellsCacheWrites ? 5 : 0;
        expect(replyIn(await collect(model, ask())).usage).toEqual({
          inputTokens: 75 - written,
          outputTokens: 40,
          cacheReadTokens: 30,
          cacheWriteTokens: written,
        });
      });
    });

    test("names the model that really answered", () =>
      withServer([wire.says("Hi", { model: "another-model" })], async ({ model }) => {
        expect(replyIn(await collect(model, ask())).model).toBe("another-model");
      }));

    test("says why it ended: its limit, or a refusal", () =>
      withServer(
        [wire.says("Hi", { finish: "length" }), wire.replies({ finish: "refused" }), wire.refuses("I will not.")],
        async ({ model }) => {
          expect(replyIn(await collect(model, ask())).finish).toBe("length");
          expect(replyIn(await collect(model, ask())).finish).toBe("refused");
          expect(replyIn(await collect(model, ask())).finish).toBe("refused");
        },
      ));

    test("carries reasoning, and gives it back to the same provider as it came", () =>
      withServer(
        [wire.calls("Read", { path: "a" }, { thinks: "Hm, a file." }), wire.says("Done")],
        async ({ model, server }) => {
          const parts = await collect(model, ask());
          const thought = parts.filter((part) => part.type === "reasoning").map((part) => part.text);
          expect(thought.join("")).toBe("Hm, a file.");
          const reply = replyIn(parts);
          const proofs = reply.content.flatMap((part) =>
            "opaque" in part && part.by === model.provider ? [part.opaque] : [],
          );
          expect(proofs.length).toBeGreaterThan(0);
          await collect(model, ask(after(reply)));
          const sent = server.requests[1]?.text ?? "";
          const words = proofs.flatMap((opaque) => strings(opaque)).filter((word) => !model.id.endsWith(word));
          expect(words.filter((word) => !sent.includes(word))).toEqual([]);
        },
      ));
  });

  describe(`${name}: tool calls`, () => {
    test("come in parallel, each with its own id, and take their results back", () =>
      withServer(
        [wire.callsAll(wire.call("Read", { path: "a" }), wire.call("Read", { path: "b" })), wire.says("Both read")],
        async ({ model, server }) => {
          const reply = replyIn(await collect(model, ask()));
          expect(reply.finish).toBe("calls");
          const made = callsIn(reply);
          expect(made).toMatchObject([
            { type: "call", tool: "Read", input: { path: "a" } },
            { type: "call", tool: "Read", input: { path: "b" } },
          ]);
          expect(new Set(made.map((part) => part.call)).size).toBe(2);
          await collect(model, ask(after(reply)));
          expect(server.requests[1]?.text).toContain("result of Read 1");
        },
      ));

    test("have ids that are unique in the session, also when the provider repeats its own", () =>
      withServer(
        [
          wire.callsAll(wire.call("Read", {}, "call_0")),
          wire.callsAll(wire.call("Read", {}, "call_0")),
          wire.says("Ok"),
        ],
        async ({ model }) => {
          const first = replyIn(await collect(model, ask()));
          const second = replyIn(await collect(model, ask(after(first))));
          expect(callsIn(second)[0]?.call).not.toBe(callsIn(first)[0]?.call);
          await collect(model, ask(after(second, after(first))));
        },
      ));

    test("with empty arguments have none", () =>
      withServer([wire.replies({ calls: [wire.malformedCall("Read", "")] })], async ({ model }) => {
        expect(callsIn(replyIn(await collect(model, ask())))).toMatchObject([
          { type: "call", tool: "Read", input: {} },
        ]);
      }));

    test("P.L06: with malformed arguments are told as such, and the history stays valid", () =>
      withServer(
        [wire.replies({ calls: [wire.malformedCall("Read", '{"path": "a')] }), wire.says("Sorry")],
        async ({ model, server }) => {
          const reply = replyIn(await collect(model, ask()));
          expect(reply.finish).toBe("calls");
          expect(callsIn(reply)).toMatchObject([{ type: "bad-call", tool: "Read", raw: '{"path": "a' }]);
          await collect(model, ask(after(reply)));
          expect(server.requests[1]?.text).toContain("malformed_arguments");
        },
      ));

    test("P.L06: whose arguments are not an object are malformed", () =>
      withServer([wire.replies({ calls: [wire.malformedCall("Read", "[1]")] })], async ({ model }) => {
        expect(callsIn(replyIn(await collect(model, ask())))).toMatchObject([
          { type: "bad-call", tool: "Read", raw: "[1]" },
        ]);
      }));

    test("use a name that the wire does not take, and come back under their own", () => {
      const odd = { name: "mcp.files/read file", description: "Reads", schema: { type: "object" } };
      const named: Script = wire.responder((request) => {
        const sent = /"name":"(mcp[^"]*)"/.exec(request.text)?.[1] ?? "none";
        return /^[a-zA-Z0-9_-]{1,64}$/.test(sent) ? wire.calls(sent, {}) : wire.fails(400);
      });
      return withServer(named, async ({ model }) => {
        const reply = replyIn(await collect(model, ask(undefined, { tools: [odd] })));
        expect(callsIn(reply)[0]?.tool).toBe("mcp.files/read file");
      });
    });
  });

  describe(`${name}: a request`, () => {
    test("carries images of the user and of tool results", () =>
      withServer([wire.says("Nice")], async ({ model, server }) => {
        const seen: ToolResult = {
          call: id("c1"),
          tool: "Read",
          failed: false,
          content: [text("ok"), image("cmVzdWx0")],
        };
        const messages: Message[] = [
          { role: "user", content: [text("Look"), image(IMAGE)] },
          { role: "assistant", content: [{ type: "call", call: id("c1"), tool: "Read", input: {} }] },
          { role: "tool", results: [seen] },
        ];
        await collect(model, ask(messages));
        expect(server.requests[0]?.text).toContain(IMAGE);
        expect(server.requests[0]?.text).toContain("cmVzdWx0");
        expect(server.requests[0]?.text).toContain("image/png");
      }));

    test("takes a history that another provider made: its proofs are left out, its ids made fit", () =>
      withServer([wire.says("Went on")], async ({ model, server }) => {
        const content: ReplyPart[] = [
          { type: "reasoning", text: "foreign thought", by: "elsewhere", opaque: { signature: "foreign-proof" } },
          { type: "text", text: "I look." },
          {
            type: "call",
            call: id("call:1|x/y"),
            tool: "Read",
            input: {},
            by: "elsewhere",
            opaque: { id: "foreign-id" },
          },
          { type: "call", call: id("call:2|x/y"), tool: "Read", input: {} },
        ];
        const reply = { content, finish: "calls", usage: undefined, model: "x" } as unknown as Reply;
        await collect(model, ask(after(reply)));
        const body = server.requests[0]?.text ?? "";
        expect(body).toContain("I look.");
        for (const word of ["foreign thought", "foreign-proof", "foreign-id", "call:1"])
          expect(body).not.toContain(word);
      }));

    test("carries the key in a header and nowhere else", () =>
      withServer([wire.says("Hi")], async ({ model, server }) => {
        await collect(model, ask());
        const sent = server.requests[0];
        expect(JSON.stringify(sent?.headers)).toContain(KEY);
        expect(`${sent?.path}${sent?.text}`).not.toContain(KEY);
      }));
  });

  modelFaultConformance(name, suite);
}
