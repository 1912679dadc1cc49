// WebFetch: a page as text.
import { Type } from "typebox";
import { fetchUrl } from "../../core/fetch-url.ts";
import { text } from "../../core/messages.ts";
import { failed } from "./change-file.ts";
import { defineTool } from "./define-tool.ts";

export const webFetch = defineTool({
  name: "WebFetch",
  description: "Fetches a web page or text file as text. A redirect to another host or port is told, not followed.",
  input: Type.Object(
    {
      url: Type.String({ maxLength: 4_000, pattern: "^https?://" }),
      prompt: Type.Optional(Type.String({ description: "What you look for" })),
    },
    { additionalProperties: false },
  ),
  repeatable: true,
  parallel: true,
  timeoutMs: 30_000,
  reach: (_world, input) => {
    const url = fetchUrl(input.url);
    return url ? [{ may: "fetch", host: url.hostname }] : [];
  },
  check: async (_world, input) => problemOf(input.url),
  run: async (world, input) => {
    const url = fetchUrl(input.url);
    const problem = problemOf(input.url);
    if (!url || problem !== undefined) return failed(problem ?? "");
    const page = await world.web.fetch(url, world.signal);
    if (!page.ok && "elsewhere" in page)
      return failed(
        `${url.href} redirects (${page.status}) to another place: fetch ${page.elsewhere} if you want that.`,
      );
    if (!page.ok) return failed(`${url.href}: ${page.problem}`);
    const facts = { fetched: { url: page.url, status: page.status } };
    const cut = page.cut ? "\n[the page is longer: this is its start]" : "";
    const said = [text(`[${page.url}, ${page.type}, status ${page.status}]\n${page.text}${cut}`)];
    return page.status < 400 ? { ok: true, said, facts } : { ok: false, why: "failed", said, facts };
  },
});

function problemOf(given: string): string | undefined {
  const url = fetchUrl(given);
  if (!url) return `${given} is not a URL that can be fetched`;
  return url.username !== "" || url.password !== "" ? "a URL with a user name or password is not fetched" : undefined;
}
