// What a provider asks us to wait, from its headers or (Gemini) its error body.
import { isObject } from "../../core/json.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export function retryAfterMs(headers: Headers, body: unknown, now: number): number | undefined {
  return milliseconds(one(headers, "retry-after-ms")) ?? secondsOrDate(headers, now) ?? retryDelay(body);
}

function milliseconds(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value) ? Math.ceil(Number(value)) : undefined;
}

function secondsOrDate(headers: Headers, now: number): number | undefined {
  const value = one(headers, "retry-after");
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // The provider's own clock, where it told it: ours may be wrong.
  const until = Date.parse(value);
  const sent = Date.parse(one(headers, "date") ?? "");
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

function retryDelay(body: unknown): number | undefined {
  const error = isObject(body) ? body["error"] : undefined;
  const details = isObject(error) ? error["details"] : undefined;
  if (!Array.isArray(details)) return undefined;
  const asked = details
    .map((detail) => (isObject(detail) ? detail["retryDelay"] : undefined))
    .find((delay) => typeof delay === "string");
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(asked ?? "")?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : value?.[0]?.trim();
}
