// HTML as a reader sees it, whatever the chunks and however broken the page.
import { expect, test } from "vitest";
import { createHtmlText } from "./html-text.ts";

function convert(html: string, chunk = html.length): string {
  const text = createHtmlText();
  for (let at = 0; at < html.length; at += Math.max(1, chunk)) text.write(html.slice(at, at + Math.max(1, chunk)));
  return text.finish();
}

test.each([
  ["paragraphs", "<p>one</p>\n<p>two\n three</p>", "one\n\ntwo three"],
  ["headings", "<h1>A</h1><h3>B</h3>text", "# A\n\n### B\n\ntext"],
  ["lists", "<ul><li>one</li><li>two <b>bold</b></li></ul>after", "- one\n- two bold\nafter"],
  [
    "links",
    'see <a href="https://a.example/x?a=1&amp;b=2">the page</a>.',
    "see [the page](https://a.example/x?a=1&b=2).",
  ],
  ["links that do nothing", '<a href="javascript:alert(1)">x</a> <a name=y>z</a>', "x z"],
  ["code", "<pre>if (a) {\n  b &lt; c;\n}</pre>done", "if (a) {\n  b < c;\n}\n\ndone"],
  ["entities", "&lt;tag&gt; &amp;amp; &#8364; &#x41; &nosuch; &#xD800; a&b", "<tag> &amp; € A &nosuch; \ufffd a&b"],
  ["scripts", "a<script>if (1 < 2) '</p>'</script><style>p{}</style><noscript>no</noscript>b", "ab"],
  ["comments", "a<!-- <p>x</p> -->b<!-- never ends", "ab"],
  ["quoted ends", '<img alt="a > b" src=x>c', "[image: a > b]c"],
  ["tables", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b |\nc |"],
  ["a lone less-than", "1 < 2 and <3", "1 < 2 and <3"],
  ["a tag that never ends", "a <p b", "a"],
  ["case", "<P>a<BR>b<SCRIPT>x</SCRIPT></P>", "a\nb"],
])("%s", (_, html, wanted) => {
  expect(convert(html)).toBe(wanted);
});

test("the same text comes out whatever the chunks are", () => {
  const html = `<!doctype html><title>T</title>${"<p>word &amp; <a href='/x'>link</a><!-- c --><script>if(a<b)</script> end</p>\n".repeat(800)}`;
  const whole = convert(html);
  for (const size of [1, 7, 1_000, 16_384, 20_001]) expect(convert(html, size)).toBe(whole);
});

test.each([
  ["open tags", "<a".repeat(1_500_000)],
  ["less-thans", "<".repeat(3_000_000)],
  ["open quotes", '<a href="'.repeat(400_000)],
  ["open comments", "<!--".repeat(800_000)],
  ["open scripts", "<script>".repeat(400_000)],
  ["ampersands", "&".repeat(3_000_000)],
  ["white space", " \n\t".repeat(1_000_000)],
  ["attributes", `<a ${"href= ".repeat(500_000)}>x</a>`],
])("3 MB of %s take well under two seconds", (_, html) => {
  const began = performance.now();
  convert(html, 65_536);
  expect(performance.now() - began).toBeLessThan(2_000);
});
