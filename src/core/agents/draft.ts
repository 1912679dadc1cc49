// One source's words about an agent, read but not yet merged with what other sources say about the same name.
import type { Json } from "../json.ts";
import type { AgentDefinition, AgentFields, DefinitionSource, Lines, Problem } from "./definition.ts";
import { emptyFields, isForeign } from "./definition.ts";
import { unknownVariables } from "../template.ts";
import { PROMPT_VARIABLES } from "./prompt-variables.ts";

/** A field that was given and cannot be read, where leaving it out would give the agent more. */
export type Refusal = { readonly field: keyof AgentFields; readonly reason: string };

export type Draft = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly source: DefinitionSource;
  /** `whole` replaces what lower sources say, `patch` is laid over it field by field. */
  readonly form: "whole" | "patch";
  readonly fields: Partial<AgentFields>;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly problems: readonly Problem[];
  readonly refusals: readonly Refusal[];
  readonly recovered: boolean;
  /** In which line of its file each field is given. */
  readonly lines?: Lines;
  /** The line of its file in which its prompt begins. */
  readonly promptLine?: number;
};

/** What one file came to: an agent, or why it is none. */
export type FileReading =
  { readonly draft: Draft } | { readonly skipped: "broken" | "documentation"; readonly problems: readonly Problem[] };

export function definitionOf(draft: Draft): AgentDefinition {
  const unknown = unknownVariables(draft.fields.prompt ?? "", PROMPT_VARIABLES, draft.metadata);
  const lineOf = (line: number): number => (draft.promptLine === undefined ? 0 : draft.promptLine + line - 1);
  const [first] = unknown;
  const foreign = isForeign(draft.source);
  const refusals = [...draft.refusals, ...missing(draft), ...(first && !foreign ? [{ reason: first.message }] : [])];
  return {
    ...emptyFields,
    ...draft.fields,
    name: draft.name,
    aliases: draft.aliases ?? [],
    metadata: draft.metadata,
    source: draft.source,
    problems: [
      ...draft.problems,
      ...unknown.map(({ line, name, message }): Problem =>
        foreign
          ? { line: lineOf(line), message: `{{${name}}} is no variable of Sous: it stays as text`, severity: "warning" }
          : { line: lineOf(line), message, severity: "error" },
      ),
    ],
    recovered: draft.recovered,
    ...(draft.lines && { lines: draft.lines }),
    launchable: refusals.length === 0 || { refused: refusals.map(({ reason }) => reason).join("; ") },
  };
}

function missing({ fields, form }: Draft): Refusal[] {
  if (form === "whole" || fields.prompt !== undefined) return [];
  return [{ field: "prompt", reason: "it has no prompt, and no other source defines an agent of this name" }];
}

/** Field by field: what the upper one does not give stays, also that a field could not be read. */
export function layOver(lower: Draft, upper: Draft): Draft {
  const given = (field: keyof AgentFields): boolean => field in upper.fields;
  // The line would be one of another file.
  const { promptLine: _line, ...above } = upper;
  return {
    ...above,
    aliases: [...(lower.aliases ?? []), ...(upper.aliases ?? [])],
    form: lower.form,
    fields: { ...lower.fields, ...upper.fields },
    metadata: { ...lower.metadata, ...upper.metadata },
    refusals: [...lower.refusals.filter(({ field }) => !given(field)), ...upper.refusals],
    recovered: lower.recovered || upper.recovered,
  };
}
