import { describe, expect, test } from "vitest";
import { calls, expecting, parseScript, replies, responder, says, type Script } from "./script.ts";
import { startWireServer, type WireServerOptions } from "./start-wire-server.ts";
import { ask, bodyFor, sse, wireNames, type Seen } from "./test-client.ts";

const said = (seen: Seen): string =>
  sse(seen.text)
    .map(({ data }) => (data as { delta?: { text?: string } }).delta?.text ?? "")
    .join("");
const say = async (url: string, text: string): Promise<string> =>
  said(await ask(url, "anthropic", { body: bodyFor("anthropic", text) }));

describe("which step answers", () => {
  test("a list answers in order, in whatever wire is asked", async () => {
    await using server = await startWireServer([says("one"), says("two"), says("three"), says("four")]);
    const texts: string[] = [];
    for (const wire of wireNames) texts.push((await ask(server.url, wire)).text);
    expect(["one", "two", "three", "four"].map((word, n) => texts[n]?.includes(word))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(server.requests.map((request) => request.wire)).toEqual(wireNames);
    server.finish();
  });

  test("conversations have lists of their own, found by the longest marker in the first message", async () => {
    const script: Script = {
      conversations: { "child-1": [says("a1"), says("a2")], "child-10": [says("b1")] },
      otherwise: [says("lead")],
    };
    await using server = await startWireServer(script);
    const answers = await Promise.all(["do child-10", "do child-1", "nobody"].map((text) => say(server.url, text)));
    expect(answers).toEqual(["b1", "a1", "lead"]);
    expect(() => server.finish()).toThrow('left over: step 2 of conversation "child-1"');
    expect(await say(server.url, "do child-1")).toBe("a2");
    server.finish();
  });

  test("two hundred conversations at once are not mixed up", async () => {
    const names = Array.from({ length: 200 }, (_, n) => `child-${n};`);
    const conversations = Object.fromEntries(names.map((name) => [name, [says(`${name} one`), says(`${name} two`)]]));
    await using server = await startWireServer({ conversations });
    const talk = async (name: string) => [await say(server.url, name), await say(server.url, name)];
    const answers = await Promise.all(names.map(talk));
    expect(answers).toEqual(names.map((name) => [`${name} one`, `${name} two`]));
    server.finish();
  });

  test("a script by turns answers any number of conversations", async () => {
    await using server = await startWireServer({ byTurn: [says("first"), says("second")] });
    const later = [
      { role: "user", content: "a" },
      { role: "assistant", content: "first" },
      { role: "user", content: "b" },
    ];
    const body = { ...bodyFor("anthropic"), messages: later };
    expect(said(await ask(server.url, "anthropic", { body }))).toBe("second");
    expect(await say(server.url, "x")).toBe("first");
    expect(await say(server.url, "y")).toBe("first");
    server.finish();
  });

  test("a responder answers for ever, and may say that a request was not expected", async () => {
    const route = responder((request) => (request.text.includes("no") ? undefined : says(`turn ${request.turn}`)));
    await using server = await startWireServer(route);
    expect(await Promise.all([say(server.url, "a"), say(server.url, "b")])).toEqual(["turn 1", "turn 1"]);
    server.finish();
    await say(server.url, "no").catch(() => {});
    expect(() => server.finish()).toThrow("no step for turn 1");
  });

  test("a script can be read from JSON", async () => {
    const json = JSON.stringify([{ says: "short" }, calls("Read", { file_path: "a" })]);
    await using server = await startWireServer(parseScript(json));
    expect(await say(server.url, "a")).toBe("short");
    expect((await ask(server.url, "anthropic")).text).toContain('"name":"Read"');
    server.finish();
    expect(parseScript('{"always":{"says":"x"}}')).toEqual({ always: says("x") });
    expect(parseScript('{"byTurn":[{"says":"x"}]}')).toEqual({ byTurn: [says("x")] });
    expect(parseScript('{"conversations":{"m":[{"says":"x"}]}}')).toEqual({
      conversations: { m: [says("x")] },
      otherwise: [],
    });
    expect(() => parseScript('{"other":1}')).toThrow("A script is a list");
  });
});

describe("what does not fit is a failure", () => {
  test("a request after the last step is refused, and finish throws", async () => {
    await using server = await startWireServer([says("one")]);
    await ask(server.url, "anthropic");
    const seen = await ask(server.url, "anthropic");
    const message = "Unexpected request 2 (POST /v1/messages): the script has no step left after 1";
    expect(seen.status).toBe(400);
    expect(JSON.parse(seen.text)).toMatchObject({ error: { type: "invalid_request_error", message } });
    expect(() => server.finish()).toThrow(
      "unexpected: request 2 (POST /v1/messages): the script has no step left after 1",
    );
  });

  test("a step that is left over makes finish throw", async () => {
    await using server = await startWireServer([says("one"), says("two")]);
    await ask(server.url, "gemini");
    expect(() => server.finish()).toThrow(/left over: step 2 of the script: .*"two"/);
  });

  test("a request that a step does not expect is refused, and the step stays", async () => {
    const steps = [
      expecting({ contains: 'say "x"', lacks: "secret", wire: "anthropic", model: "claude-1" }, says("ok")),
      expecting((request) => request.turn === 7 || "only turn 7", says("never")),
    ];
    await using server = await startWireServer(steps);
    expect((await ask(server.url, "anthropic")).text).toContain(String.raw`its body lacks \"say \\\"x\\\"\"`);
    expect((await ask(server.url, "gemini")).text).toContain("not anthropic, but gemini");
    expect(await say(server.url, 'please say "x"')).toBe("ok");
    expect((await ask(server.url, "anthropic")).text).toContain(
      "step 2 of the script expects another request: only turn 7",
    );
    expect(() => server.finish()).toThrow(
      /unexpected: request 1.*\n.*unexpected: request 2.*\n.*request 4.*\n.*left over: step 2/,
    );
  });

  test("a history that the real service would not take is refused, unless the server is lenient", async () => {
    const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] };
    const body = { ...bodyFor("anthropic"), messages: [{ role: "user", content: "a" }, use] };
    await using server = await startWireServer([says("one")]);
    const seen = await ask(server.url, "anthropic", { body });
    expect([seen.status, seen.text]).toEqual([400, expect.stringContaining("tool_use without tool_result: t1")]);
    expect(() => server.finish()).toThrow(/unexpected: request 1 .*not valid.*t1\n.*left over: step 1/);
    await using lenient = await startWireServer([says("one")], { strict: false });
    expect((await ask(lenient.url, "anthropic", { body })).status).toBe(200);
    lenient.finish();
  });

  test("a route that throws is told by finish, and its request is not left hanging", async () => {
    const broken = (): never => {
      throw new Error("a mistake in the test");
    };
    await using server = await startWireServer(responder(broken));
    expect((await ask(server.url, "anthropic")).ended).toBe("ECONNRESET");
    expect(() => server.finish()).toThrow("could not be answered: Error: a mistake in the test");
  });

  test("a path that no wire has is not found, and finish throws", async () => {
    await using server = await startWireServer([]);
    expect((await ask(server.url, "anthropic", { path: "/v1/embeddings" })).status).toBe(404);
    expect(() => server.finish()).toThrow("request 1 (POST /v1/embeddings): no wire is spoken there");
  });

  test("a body that is not JSON, or does not ask for a stream, is refused", async () => {
    await using server = await startWireServer([says("one")]);
    expect((await ask(server.url, "anthropic", { raw: "{" })).text).toContain("its body is not JSON");
    const body = { ...bodyFor("openai-chat"), stream: false };
    expect((await ask(server.url, "openai-chat", { body })).text).toContain("only the streaming form");
  });
});

describe("the requests that came", () => {
  test("a request is kept as it was and cannot be changed", async () => {
    await using server = await startWireServer([says("one")]);
    const started = performance.now();
    await ask(server.url, "anthropic", { body: bodyFor("anthropic", "héllo") });
    const [request] = server.requests;
    expect(request).toMatchObject({ number: 1, wire: "anthropic", path: "/v1/messages", model: "claude-1", turn: 1 });
    expect(request?.history).toEqual([{ by: "user", text: "héllo" }]);
    expect(request?.headers.host).toBe(server.url.slice("http://".length));
    expect(request?.size).toBe(Buffer.byteLength(JSON.stringify(bodyFor("anthropic", "héllo"))));
    expect(request?.at).toBeGreaterThanOrEqual(started);
    const body = request?.body as { messages: { content: string }[] };
    expect(() => ((body.messages[0] as { content: string }).content = "other")).toThrow(TypeError);
    expect(() => body.messages.push({ content: "more" })).toThrow(TypeError);
    expect(() => Object.assign(request as object, { number: 2 })).toThrow(TypeError);
  });

  test("a path is understood with and without its version, and behind a prefix", async () => {
    const paths = ["/messages", "/v1/messages", "/proxy/anthropic/v1/messages?beta=true"];
    await using server = await startWireServer(paths.map(() => says("ok")));
    for (const path of paths) expect((await ask(server.url, "anthropic", { path })).status).toBe(200);
    expect((await ask(server.url, "gemini", { path: "/models/g:streamGenerateContent" })).status).toBe(400);
    expect(server.requests.map((request) => request.wire)).toEqual(["anthropic", "anthropic", "anthropic", "gemini"]);
  });

  test("a server that does not record still counts", async () => {
    await using server = await startWireServer({ always: says("x", { model: "m" }) }, { record: false, strict: false });
    await ask(server.url, "anthropic", { raw: "not even JSON" });
    expect([server.count, server.requests.length]).toEqual([1, 0]);
  });
});

describe("how it is sent", () => {
  const texts = async (options: WireServerOptions, step = says("abcdefghijklm")): Promise<string[]> => {
    await using server = await startWireServer([step], options);
    return sse((await ask(server.url, "openai-chat")).text).flatMap(({ data }) => {
      const content = (data as { choices?: { delta: { content?: string } }[] }).choices?.[0]?.delta.content;
      return content ? [content] : [];
    });
  };

  test("a text comes in pieces of the wanted size, or in the wanted number of pieces", async () => {
    expect(await texts({})).toEqual(["abcdefghijkl", "m"]);
    expect(await texts({ chunkSize: 5 })).toEqual(["abcde", "fghij", "klm"]);
    expect(await texts({}, says("abcdefgh", { deltas: 4 }))).toEqual(["ab", "cd", "ef", "gh"]);
  });

  test("a pair of surrogates is never cut", async () => {
    expect(await texts({ chunkSize: 2 }, says("a😀b😀"))).toEqual(["a😀", "b😀"]);
  });

  test("lines can end in CR LF", async () => {
    await using server = await startWireServer([says("line\nline")], { newline: "crlf" });
    const { text } = await ask(server.url, "anthropic");
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(text).toContain("event: ping\r\ndata: ");
  });

  test("ids differ from reply to reply, also of one step", async () => {
    await using server = await startWireServer({ always: replies({ calls: [{ tool: "Read" }] }) }, { ids: "b" });
    const [first, second] = [await ask(server.url, "anthropic"), await ask(server.url, "anthropic")];
    expect(first.text).toContain('"id":"toolu_01Sousb00000011"');
    expect(second.text).toContain('"id":"toolu_01Sousb00000021"');
  });

  test("the environment points a child process at the server", async () => {
    await using server = await startWireServer([]);
    expect(server.env).toMatchObject({
      ANTHROPIC_BASE_URL: server.url,
      OPENAI_BASE_URL: `${server.url}/v1`,
      GOOGLE_GEMINI_BASE_URL: server.url,
    });
    expect(Object.keys(server.env).filter((name) => name.endsWith("_API_KEY"))).toHaveLength(3);
  });

  test("closing ends open streams and can be done twice", async () => {
    const server = await startWireServer([
      { ...says("a"), breaks: { how: "stalls", afterDeltas: 0, thenFinish: true } },
    ]);
    const open = ask(server.url, "anthropic");
    await expect.poll(() => server.count).toBe(1);
    await server.close();
    await server.close();
    expect((await open).ended).toBe("ECONNRESET");
  });
});
