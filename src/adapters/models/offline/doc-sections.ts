// Pages of documentation as sections, ranked by how much of a question stands in them. Pure.
import { compare } from "./outputs.ts";
import { type Concept, presence, stemsOf } from "./words.ts";

export type Section = {
  readonly path: string;
  readonly heading: string;
  readonly from: number;
  readonly lines: readonly string[];
};
export type RankedSection = Section & { readonly score: number; readonly covered: number };

/** From one heading to the next; what looks like a heading in a code block is none. */
export function sectionsIn(path: string, lines: readonly string[], first = 1): readonly Section[] {
  const sections: (Section & { lines: string[] })[] = [];
  let isCode = false;
  lines.forEach((line, at) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,4} (.{1,200})$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ path, heading, from: first + at, lines: [] });
    else sections.at(-1)?.lines.push(line);
  });
  return sections;
}

export function rankSections(concepts: readonly Concept[], sections: readonly Section[]): readonly RankedSection[] {
  const texts = sections.map(({ heading, lines }) => `${heading}\n${lines.join("\n")}`);
  const weights = concepts.map((concept) => {
    const many = texts.filter((text) => value(concept, text) > 0).length;
    return (concept.exact ? 2 : 1) * (1 + Math.log2(Math.max(1, sections.length) / Math.max(1, many)));
  });
  const all = Math.max(
    0.001,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const share = (text: string): number =>
    concepts.reduce((sum, concept, at) => sum + value(concept, text) * weights[at]!, 0) / all;
  return sections
    .map((section, at): RankedSection => {
      const paragraphs = texts[at]!.split(/\n(?=\n|[-*|] |\$ )/);
      const densest = Math.max(...paragraphs.map(share));
      const covered = share(texts[at]!);
      const page = share(section.path.replace(/^.*\//, ""));
      const score = covered + densest + 0.8 * share(section.heading) + 0.4 * page;
      return { ...section, covered, score: score * (FOR_PROGRAMS.test(section.path) ? 0.8 : 1) };
    })
    .filter(({ covered }) => covered > 0)
    .toSorted((a, b) => b.score - a.score || compare(a.path, b.path) || a.from - b.from);
}

/** Most who ask sit at a terminal. */
const FOR_PROGRAMS = /(?:^|\/)(?:library|testing|protocol-bash)\.md$/;

const value = (concept: Concept, text: string): number => presence(concept, stemsOf(text), text);
