// Cuts a Markdown file into its head and its body. Takes files as people's editors leave them: byte order marks,
// Windows line ends, blank lines before the first `---`, invisible characters.
export type Frontmatter =
  | { readonly is: "absent"; readonly body: string }
  | { readonly is: "open"; readonly line: number }
  | {
      readonly is: "closed";
      readonly head: string;
      /** The line of the file in which the head's first line stands. */
      readonly headLine: number;
      readonly body: string;
      /** Invisible characters were taken out of the head. */
      readonly cleaned: boolean;
    };

const FENCE = /^---[ \t]*$/;

export function splitFrontmatter(text: string): Frontmatter {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const first = lines.findIndex((line) => bare(line) !== "");
  if (first < 0 || !FENCE.test(bare(lines[first] ?? "")))
    return { is: "absent", body: lines.join("\n").replace(/^\ufeff/, "") };
  const end = lines.findIndex((line, at) => at > first && FENCE.test(line.replace(/\p{Cf}/gu, "")));
  if (end < 0) return { is: "open", line: first + 1 };
  const given = lines.slice(first + 1, end).join("\n");
  const head = visible(given);
  return {
    is: "closed",
    head,
    headLine: first + 2,
    body: lines.slice(end + 1).join("\n"),
    cleaned: head !== given,
  };
}

/** A line without what cannot be seen around it. */
const bare = (line: string): string => line.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");

/** Joiners within words carry meaning; everything else that cannot be seen only hides keys from their reader. */
function visible(head: string): string {
  return head
    .replace(/[\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\u00a0\u202f\u2007]/g, " ")
    .replace(/^[\u200c\u200d]+/gm, "")
    .replace(/[\u200c\u200d]+(?=\s*:)/g, "");
}
