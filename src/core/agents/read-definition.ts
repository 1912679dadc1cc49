// Reads a Markdown definition: the head is its settings, the body its prompt. Tolerant in everything but rights.
import { stemOf } from "./agent-names.ts";
import type { DefinitionSource, Problem } from "./definition.ts";
import type { FileReading, Refusal } from "./draft.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import { plainFields } from "./plain-fields.ts";
import { readDraft } from "./read-draft.ts";
import { type Fields, hiddenKeys, readFields } from "./read-fields.ts";
import type { YamlReader } from "./yaml.ts";

/** Longer heads are no heads. */
const MOST_HEAD_CHARS = 64_000;

/** Whether reading this text takes a YAML reader. */
export function needsYaml(text: string): boolean {
  const parts = splitFrontmatter(text);
  return parts.is === "closed" && parts.head.length <= MOST_HEAD_CHARS && !plainFields(parts.head, 0);
}

/** `yaml` may be left out where `needsYaml` says so. `name` is used where the file gives none. */
export function readDefinition(
  text: string,
  source: DefinitionSource,
  yaml?: YamlReader,
  name: string = stemOf(source.file ?? "agent"),
): FileReading {
  if (text.includes("\u0000")) return broken(1, "it is not text");
  const parts = splitFrontmatter(text);
  if (parts.is === "open") return broken(parts.line, "its head has no end: a line with only --- is missing");
  if (parts.is === "absent") return withoutHead(parts.body, source, name);
  if (parts.head.length > MOST_HEAD_CHARS) return broken(parts.headLine, "its head is too long: is a --- missing?");
  const fields = fieldsOf(parts.head, parts.headLine, yaml);
  const lost = hiddenKeys(keysBelow(parts.body), fields.given)[0];
  if (lost) return broken(parts.headLine, `its head ends before ${lost.field}: a line with only --- is one too many`);
  if (fields.recovered && fields.given.length === 0)
    return { skipped: "broken", problems: fields.problems.map((one) => ({ ...one, severity: "error" })) };
  return fromFields(fields, parts, source, name);
}

function fieldsOf(head: string, headLine: number, yaml: YamlReader | undefined): Fields {
  const plain = plainFields(head, headLine);
  if (plain) return { given: plain, problems: [], recovered: false, hidden: [] };
  if (!yaml) throw new Error("this definition needs a YAML reader");
  return readFields(head, headLine, yaml);
}

function fromFields(
  fields: Fields,
  parts: { head: string; body: string; headLine: number; cleaned: boolean },
  source: DefinitionSource,
  name: string,
): FileReading {
  const draft = readDraft(fields.given, name, { ...source, line: source.line ?? 1 });
  const problems: Problem[] = [...fields.problems, ...draft.problems];
  const warn = (message: string): void => void problems.push({ line: parts.headLine, message, severity: "warning" });
  if (parts.cleaned) warn("invisible characters in its head were left out");
  const body = parts.body.trim();
  const prompt = [draft.fields.prompt, body].filter((text) => text).join("\n\n");
  const description = draft.fields.description || describe(body);
  if (!draft.fields.description) warn(`it has no description${description ? ": the body's first line is used" : ""}`);
  if (prompt === "") warn("it has no prompt");
  const refusals = [...draft.refusals, ...fields.hidden.map(refusalOf)];
  for (const { field, line } of fields.hidden)
    problems.push({ line, message: `this line looks like ${field} but cannot be read as such`, severity: "error" });
  return {
    draft: {
      ...draft,
      form: "whole",
      fields: { ...draft.fields, description, prompt },
      problems,
      refusals,
      recovered: fields.recovered,
      promptLine: bodyLine(parts) - (draft.fields.prompt ? draft.fields.prompt.split("\n").length + 1 : 0),
    },
  };
}

/** The line of the file in which the body's first words stand. */
const bodyLine = ({ head, headLine, body }: { head: string; headLine: number; body: string }): number =>
  headLine + head.split("\n").length + 1 + blankLines(body);
const blankLines = (text: string): number => (/^\s*/.exec(text)?.[0] ?? "").split("\n").length - 1;

/** A head that was cut in two leaves its second half, with a further fence, where the body should begin. */
const keysBelow = (body: string): string =>
  /^\s*((?:[A-Za-z_-]+:.*\n|[ \t-].*\n)+)---[ \t]*(?:\n|$)/.exec(body.slice(0, 2_000))?.[1] ?? "";

const refusalOf = ({ field, line }: Fields["hidden"][number]): Refusal => ({
  field: field === "name" ? "tools" : field,
  reason: `line ${line} looks like ${field} but cannot be read as such`,
});

/** Some agents are written as `# Name` and `## Description`; everything else without a head is documentation. */
function withoutHead(body: string, source: DefinitionSource, name: string): FileReading {
  const heading = /^# +\S/m.test(body);
  const section = /^## +Description[ \t]*\n+([^]*?)(?=\n#|$(?![^]))/im.exec(body)?.[1]?.trim();
  if (!heading || !section) {
    const message = "it has no head between --- lines: taken for documentation, not for an agent";
    return { skipped: "documentation", problems: [{ line: 1, message, severity: "note" }] };
  }
  const [hidden] = hiddenKeys(body.slice(0, 2_000), []);
  if (hidden) return broken(hidden.at + 1, `${hidden.field} stands in it, but not in a head between --- lines`);
  const draft = readDraft([], name, { ...source, line: 1 });
  const message = "it has no head between --- lines: the name of its file and its section Description are used";
  return {
    draft: {
      ...draft,
      form: "whole",
      fields: { description: firstParagraph(section), prompt: body.trim() },
      problems: [{ line: 1, message, severity: "warning" }],
      promptLine: 1 + blankLines(body),
    },
  };
}

const describe = (body: string): string =>
  firstParagraph(body.replace(/^(#.*|\s*)\n/gm, "\n").trim() || body.replace(/^#+ */gm, "")).slice(0, 300);

const firstParagraph = (text: string): string => (text.trim().split(/\n\s*\n/)[0] ?? "").replace(/\s+/g, " ").trim();

function broken(line: number, message: string): FileReading {
  return { skipped: "broken", problems: [{ line, message, severity: "error" }] };
}
