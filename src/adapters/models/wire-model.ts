// A model over any wire: sends the request, reads the stream, and yields the reply only when it is whole.
import { ModelFault, type Fault } from "../../core/model-fault.ts";
import type { Model, ModelPart, ModelRequest, Reply } from "../../ports/model.ts";
import { settleCalls } from "./calls.ts";
import { faultInBody, faultOf, faultOfAnswer, parse, type Site } from "./faults.ts";
import type { Http, HttpReply } from "./http.ts";
import { KeyCommandFailed } from "./key-command.ts";
import type { Held, KeySource } from "./keys.ts";
import { oneLine } from "./one-line.ts";
import { boundCalls, createReplyBounds } from "./reply-bounds.ts";
import { createSseParser } from "./sse.ts";
import { alive, type Wire, type WireReader } from "./wire.ts";

export type WireModelOptions = {
  readonly wire: Wire;
  readonly site: Site;
  readonly http: Http;
  readonly keys: KeySource;
  /** Local servers often want no key. */
  readonly keyOptional?: boolean;
  readonly newId: () => string;
  readonly now?: () => number;
  readonly maxBytes?: number;
  /** How long one reply may be. */
  readonly mostReplyChars?: number;
};

const ERROR_BYTES = 64 * 1024;
const ERROR_MS = 2000;

export function createWireModel(options: WireModelOptions): Model {
  const { site } = options;
  return {
    id: `${site.provider}/${site.model}`,
    provider: site.provider,
    takesTemperature: options.wire.takesTemperature,
    async *stream(request, signal) {
      const answer = await open(options, request, signal);
      const { reader, out, read } = reading(answer, options);
      let whole = false;
      try {
        yield { type: "connected" };
        // One flat loop, without delegating to another generator: this runs for every word of every model.
        for (let more = true; more;) {
          more = await read();
          for (const part of out.splice(0)) yield part;
        }
        const reply = reader.reply();
        if ("missing" in reply) throw new ModelFault(faultOf("incomplete", reply.missing, site));
        whole = true;
        answer.release();
        yield { type: "reply", reply: settled(boundCalls(reply, site), request, options.newId) };
      } catch (error) {
        const usage = reader.usage();
        // Who ended the call has a reason of its own: what it cost goes beside that.
        if (usage && signal.aborted) yield { type: "billed", usage };
        throw withUsage(error, reader);
      } finally {
        if (!whole) answer.drop();
      }
    },
  };
}

/** Each `read` adds to `out` what has come, and says whether there can be more. */
function reading(answer: HttpReply, { wire, site, mostReplyChars }: WireModelOptions) {
  const out: ModelPart[] = [];
  const reader = wire.reader();
  const bounds = createReplyBounds(site, mostReplyChars);
  const sse = createSseParser({
    event(data, name) {
      if (reader.ended()) return;
      const before = out.length;
      reader.event(data, name, out);
      bounds.take(data, out, before);
    },
    comment: () => alive(out),
  });
  let failure: { readonly error: unknown } | undefined;
  async function read(): Promise<boolean> {
    if (failure) throw failure.error;
    const batch = await answer.read();
    try {
      if (batch) for (const chunk of batch) sse.push(chunk);
      else sse.end();
    } catch (error) {
      // What was said before the error is still heard.
      failure = { error };
      return true;
    }
    return batch !== undefined && !reader.ended();
  }
  return { reader, out, read };
}

async function open(options: WireModelOptions, request: ModelRequest, signal: AbortSignal): Promise<HttpReply> {
  const { keys } = options;
  const body = options.wire.body(request);
  let held = await keyFor(options, () => keys.get(), signal);
  for (let attempt = 1; ; attempt++) {
    const answer = await post(options, body, held, signal);
    const fault = await faultIn(answer, options, held);
    if (!fault) return answer;
    // 403 says that the key is known and may not: a new one would not help.
    if (fault.code !== "auth" || fault.status === 403 || attempt > 1) throw new ModelFault(fault);
    const used = held;
    held = await keyFor(options, () => keys.refresh(used), signal);
    if (held.key === used.key) throw new ModelFault(fault);
  }
}

function post({ wire, http, maxBytes }: WireModelOptions, body: string, held: Held, signal: AbortSignal) {
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...wire.headers(held.key) };
  return http.post({ url: wire.url, headers, body, signal, ...(maxBytes === undefined ? {} : { maxBytes }) });
}

async function keyFor(options: WireModelOptions, ask: () => Promise<Held>, signal: AbortSignal): Promise<Held> {
  const held = await orAbort(ask(), signal).catch((error: unknown) => {
    if (!(error instanceof KeyCommandFailed)) throw error;
    throw new ModelFault(faultOf("auth", error.message, options.site), { cause: error });
  });
  if (held.key !== undefined && !/^[\x21-\x7e]+$/.test(held.key)) {
    throw new ModelFault(
      faultOf("auth", `the key for ${options.site.provider} has characters that no key has`, options.site),
    );
  }
  if (held.key !== undefined || options.keyOptional) return held;
  throw new ModelFault(faultOf("auth", `there is no key for ${options.site.provider}`, options.site));
}

/** What is wrong with an answer's head, if anything. Reads its body when it is. */
async function faultIn(answer: HttpReply, options: WireModelOptions, held: Held): Promise<Fault | undefined> {
  const { site, wire, now = Date.now } = options;
  const type = String(answer.headers["content-type"] ?? "");
  const fine = answer.status >= 200 && answer.status < 300;
  if (fine && (type === "" || type.includes("event-stream"))) return undefined;
  const text = withoutKey(await answer.text(ERROR_BYTES, ERROR_MS), held.key);
  const cut = text.length >= ERROR_BYTES;
  if (!fine) return faultOfAnswer({ status: answer.status, headers: answer.headers, text, cut }, site, now());
  const got = `${site.provider} answered ${answer.status} but not with an event stream of ${wire.name}: got ${oneLine(type, 80)}`;
  return faultInBody(parse(text), site) ?? faultOf("incomplete", got, site, { status: answer.status });
}

function withoutKey(text: string, key: string | undefined): string {
  return key ? text.replaceAll(key, "[key]") : text;
}

function settled(reply: Reply, request: ModelRequest, newId: () => string): Reply {
  const content = settleCalls(reply.content, request.messages, request.tools, newId);
  return content === reply.content ? reply : { ...reply, content };
}

function withUsage(error: unknown, reader: WireReader): unknown {
  const usage = reader.usage();
  if (!(error instanceof ModelFault) || !usage || error.fault.usage) return error;
  return new ModelFault({ ...error.fault, usage }, { cause: error });
}

function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
