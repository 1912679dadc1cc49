// A provider's error answer or error event, as a fault: what it is, in its own words, and what a person can do.
import { isObject } from "../../core/json.ts";
import type { Fault, FaultCode } from "../../core/model-fault.ts";
import { classify } from "./classify.ts";
import { oneLine } from "./one-line.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Whose answer it is, and where its key and address are set: for remedies. */
export type Site = {
  readonly provider: string;
  readonly model: string;
  /** Such as `ANTHROPIC_API_KEY`. */
  readonly keyFrom: string;
  /** A command prints the key: it is to be mended, not set to a key. */
  readonly keyCommand?: boolean;
  /** Such as `ANTHROPIC_BASE_URL`. */
  readonly baseFrom: string;
};

export type ErrorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** There was more of it than was read. */
  readonly cut?: boolean;
};

const LONG_ANSWER = 1_000;

export function faultOf(code: FaultCode, message: string, site: Site, more: Partial<Fault> = {}): Fault {
  return { code, message: oneLine(message), remedy: remedies[code](site), ...more };
}

export function faultOfAnswer(answer: ErrorAnswer, site: Site, now: number): Fault {
  const parsed = parse(answer.text);
  const said = errorIn(parsed) ?? { kind: "", message: textOf(answer) };
  const wait = retryAfterMs(answer.headers, parsed, now);
  const words = said.message ? `: ${said.message}` : "";
  // Where not all of it can be told, what came is named: its type and its size.
  const size =
    answer.text.length > LONG_ANSWER ? `${answer.cut ? "more than " : ""}${answer.text.length} characters` : "";
  const about = size ? ` (${[oneLine(said.kind, 80), size].filter(Boolean).join(", ")})` : "";
  return faultOf(
    classify(answer.status, said.kind, said.message),
    `${site.provider} answered ${answer.status}${about}${words}`,
    site,
    { status: answer.status, ...(wait === undefined ? {} : { retryAfterMs: wait }) },
  );
}

/** An error told inside a stream, or in a body that came with status 200. Undefined when it holds no error. */
export function faultInBody(body: unknown, site: Site): Fault | undefined {
  const said = errorIn(body);
  if (!said) return undefined;
  const wait = retryAfterMs({}, body, 0);
  const code = classify(said.status, said.kind, said.message);
  const message = `${site.provider} reported ${said.message || said.kind || "an error"}`;
  return faultOf(code, message, site, wait === undefined ? {} : { retryAfterMs: wait });
}

type Said = { readonly kind: string; readonly message: string; readonly status?: number };

/** The error of any of the wires: `{error: {...}}`, `{type: "error", ...}`, `[{error}]`, `{error: "text"}`, `{detail}`. */
function errorIn(body: unknown): Said | undefined {
  if (Array.isArray(body)) return errorIn(body[0]);
  if (!isObject(body)) return undefined;
  const error = body["error"] ?? (body["type"] === "error" ? body : undefined);
  if (typeof error === "string") return { kind: "", message: String(body["message"] ?? error) };
  if (isObject(error)) return { ...statusOf(error), kind: kindOf(error), message: messageOf(error) };
  const detail = body["detail"] ?? body["message"];
  return typeof detail === "string" && !("choices" in body) ? { kind: kindOf(body), message: detail } : undefined;
}

const kindOf = (error: Record<string, unknown>): string =>
  ["type", "code", "status", "reason"]
    .map((name) => error[name])
    .filter((value) => typeof value === "string")
    .join(" ");

function messageOf(error: Record<string, unknown>): string {
  const message = error["message"];
  return typeof message === "string" ? message : "";
}

function statusOf(error: Record<string, unknown>): { status?: number } {
  const code = error["code"];
  return typeof code === "number" && code >= 400 && code < 600 ? { status: code } : {};
}

function textOf(answer: ErrorAnswer): string {
  const type = String(answer.headers["content-type"] ?? "");
  if (!type.includes("html")) return answer.text;
  const title = /<title[^>]*>([^<]*)</i.exec(answer.text)?.[1];
  return title ? `${title} (an HTML page)` : "an HTML page";
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const again = (): string => "wait and try again, or use another model with --model";
const remedies: Record<FaultCode, (site: Site) => string> = {
  auth: ({ keyFrom, keyCommand, provider }) =>
    keyCommand
      ? `mend ${keyFrom}, or run sous setup ${provider} and give a key that may use this model`
      : `set ${keyFrom} to a valid ${provider} key that may use this model`,
  "not-found": ({ model, baseFrom }) => `check the model name "${oneLine(model, 80)}" and ${baseFrom}`,
  spend: ({ provider }) => `add credit or raise the spend limit of the ${provider} account, or use another --model`,
  "too-large": () => "send less: fewer or smaller images and files, or start a new session",
  overflow: () => "compact or shorten the conversation, or choose a model with a larger context window",
  "bad-request": () => "change the setting that the message names (model, effort, temperature, tools)",
  "rate-limit": ({ provider }) => `wait, run fewer agents at once, or raise the rate limit of the ${provider} account`,
  overloaded: again,
  server: again,
  network: ({ baseFrom }) => `check the network, HTTPS_PROXY and ${baseFrom}, then try again`,
  timeout: again,
  incomplete: ({ baseFrom }) => `try again; if it stays so, check that ${baseFrom} is the address of the right API`,
  "too-long": () => "ask for less at once, or use another model with --model",
  refused: () => "rephrase the request, or use another model with --model",
  redirect: ({ baseFrom }) => `set ${baseFrom} to the final address`,
  script: () => "add the missing step to the script",
};
