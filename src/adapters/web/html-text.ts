// HTML to text as it arrives: one pass, no tree, headings, lists, links and code kept readable. Makes the best of
// whatever comes; what a page hides from its reader (scripts, styles) is left out.
import { decodeEntities } from "./entities.ts";
import { createTextFlow } from "./text-flow.ts";

export type HtmlText = { write(chunk: string): void; finish(): string };

const SKIPPED = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "math"]);
const BLOCKS = new Set(
  "address article aside blockquote body dd details div dl dt fieldset figure footer form header hr main nav ol p section summary table tr ul".split(
    " ",
  ),
);
/** A tag or comment that has not ended by then never will. */
const MOST_PENDING = 64 * 1024;
const AT_ONCE = 16 * 1024;

export function createHtmlText(): HtmlText {
  const flow = createTextFlow();
  let rest = "";
  let fresh = 0;
  let skipping: string | undefined;
  let links: string[] = [];

  /** Takes one piece from `at` and gives where the next begins; undefined when it has not wholly come yet. */
  const take = (html: string, at: number, last: boolean): number | undefined => {
    if (skipping !== undefined) return leave(html, at, last);
    const open = nextTag(html, at);
    if (open !== at) {
      const stop = open ?? wholeText(html, at, last);
      if (stop === at) return undefined;
      flow.text(decodeEntities(html.slice(at, stop)));
      return stop;
    }
    if (html.startsWith("<!--", at)) return after(html, "-->", at + 4, last);
    const end = tagEnd(html, at);
    if (end === undefined) return last ? html.length : undefined;
    tag(html.slice(at, end));
    return end;
  };

  const leave = (html: string, at: number, last: boolean): number | undefined => {
    const close = new RegExp(`</${skipping}`, "ig");
    close.lastIndex = at;
    const found = close.exec(html);
    if (!found) return last ? html.length : Math.max(at, html.length - 16) > at ? html.length - 16 : undefined;
    skipping = undefined;
    return found.index;
  };

  const tag = (source: string): void => {
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(source)?.[1]?.toLowerCase();
    if (name === undefined) return;
    const closing = source.startsWith("</");
    if (SKIPPED.has(name)) {
      if (!closing && !source.endsWith("/>")) skipping = name;
    } else if (name === "a") link(source, closing);
    else if (/^h[1-6]$/.test(name)) {
      flow.paragraph();
      if (!closing) flow.mark(`${"#".repeat(Number(name[1]))} `);
    } else if (name === "pre") {
      flow.paragraph();
      flow.verbatim(!closing);
    } else if (name === "li") {
      flow.line();
      if (!closing) flow.mark("- ");
    } else if (name === "br") flow.line();
    else if (name === "td" || name === "th") flow.text(closing ? " | " : "");
    else if (name === "img" && attribute(source, "alt")) flow.text(`[image: ${attribute(source, "alt")}]`);
    else if (name === "title" || name === "p" || name === "table") flow.paragraph();
    else if (BLOCKS.has(name)) flow.line();
  };

  const link = (source: string, closing: boolean): void => {
    if (!closing) {
      const href = attribute(source, "href") ?? "";
      const useful = /^(https?:\/\/|\/|\.|[\w-]+(\/|\.html?))/i.test(href) && href.length <= 300;
      links.push(useful ? href : "");
      if (useful) flow.text("[");
    } else {
      const href = links.pop();
      if (href) flow.text(`](${href})`);
    }
    links = links.slice(-20);
  };

  const run = (last: boolean): void => {
    let at = 0;
    while (at < rest.length) {
      const next = take(rest, at, last);
      if (next === undefined) break;
      at = next;
    }
    rest = rest.slice(at);
  };

  return {
    write(chunk) {
      rest += chunk;
      fresh += chunk.length;
      // Not for every crumb: what is pending is looked at again each time.
      if (fresh < AT_ONCE) return;
      fresh = 0;
      run(false);
    },
    finish() {
      run(true);
      return flow.finish();
    },
  };
}

/** Where the next tag begins: a less-than sign that nothing follows is text. */
function nextTag(html: string, from: number): number | undefined {
  for (let at = html.indexOf("<", from); at >= 0; at = html.indexOf("<", at + 1)) {
    const next = html.charCodeAt(at + 1) | 32;
    // A letter, or one of / ! ?
    if ((next >= 97 && next <= 122) || next === 47 || next === 33 || next === 63) return at;
  }
  return undefined;
}

/** Text up to the end of what has come, without a started entity or tag. */
function wholeText(html: string, at: number, last: boolean): number {
  if (!last && html.endsWith("<")) return html.length - 1;
  const entity = html.lastIndexOf("&");
  const open = !last && entity >= at && html.length - entity < 32 && !html.includes(";", entity);
  return open ? entity : html.length;
}

function after(html: string, mark: string, from: number, last: boolean): number | undefined {
  const end = html.indexOf(mark, from);
  if (end >= 0) return end + mark.length;
  return last || html.length - from > MOST_PENDING ? html.length : undefined;
}

/** One past the tag's `>`; those within quoted values do not count. A tag too long is skipped as far as it was read. */
function tagEnd(html: string, at: number): number | undefined {
  let quote = "";
  for (let i = at + 1; i < html.length; i++) {
    const char = html[i]!;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === ">") return i + 1;
    else if ((char === '"' || char === "'") && html[i - 1] === "=") quote = char;
    if (i - at > MOST_PENDING) return i + 1;
  }
  return undefined;
}

function attribute(source: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(source);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeEntities(value).trim();
}
