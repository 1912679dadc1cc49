// Definitions that change while a tree runs: those of a trusted project, and files given by a flag, which may stand where
// agents write. New words count at the next spawn; new rights do not until a person has looked at them: who could write
// the file could else give itself more. Till then the agent is what it was.
import { dirname, relative } from "node:path";
import { definitionFiles } from "../../adapters/definitions/definition-files.ts";
import { lookupKey } from "../../core/agents/agent-names.ts";
import { changedRights } from "../../core/agents/agent-rights.ts";
import { PRIORITY } from "../../core/agents/definition.ts";
import type { Draft } from "../../core/agents/draft.ts";
import { createFileReader } from "../../engine/agents/file-reader.ts";
import type { Vet, Vetted } from "../../engine/agents/registry-options.ts";

export type HoldOptions = {
  readonly root: string;
  /** What a file held when the project was last trusted, by its path from the root. */
  trustedText(path: string): string | undefined;
  /** Files that had changed since the project was trusted before any tree began, with the reason. */
  readonly heldBack: ReadonlyMap<string, string>;
  /** No tree runs: files count as they are each time they are read. */
  readonly always?: true;
};

/** What it is given first is what the tree began with. */
export function holdChanged({ root, trustedText, heldBack, always }: HoldOptions): Vet {
  let begun: Map<string, Draft> | undefined;

  /** Read from the record of trust and not from the file, which may change between two looks. */
  async function isTrusted(draft: Draft, file: string): Promise<boolean> {
    const text = trustedText(relative(root, file));
    if (text === undefined) return false;
    const { line: _line, ...source } = draft.source;
    const read = createFileReader({ ...definitionFiles, read: async () => ({ text }) });
    const [one] = await read([{ path: file, stamp: "", source }]);
    return one !== undefined && "draft" in one.reading && changedRights(one.reading.draft, draft).length === 0;
  }

  /** Of the file, or of a folder of which not all is known. */
  function reasonFor(file: string): string | undefined {
    for (let at = file; at.startsWith(`${root}/`); at = dirname(at)) if (heldBack.has(at)) return heldBack.get(at);
    return undefined;
  }

  return async (drafts, fixed) => {
    if (!begun || always) {
      const before = (draft: Draft): string | undefined => vettedFile(draft).map(reasonFor).find(Boolean);
      const counted = drafts.filter((draft) => before(draft) === undefined);
      begun = new Map(counted.flatMap((draft) => vettedFile(draft).map((file) => [file, draft])));
      const waiting = drafts.flatMap((draft) => {
        const reason = before(draft);
        return reason === undefined ? [] : [[lookupKey(draft.name), `${reason}: not used ${TILL_TRUST}`] as const];
      });
      return { drafts: counted, held: new Map(waiting) };
    }
    const kept: Draft[] = [];
    const held: [string, string][] = [];
    const hold = (draft: Draft, file: string, what: string): void => {
      const till = draft.source.kind === "agent-type" ? "in this run" : TILL_TRUST;
      const words = `${relative(root, file)} ${what} while this tree runs: not used ${till}; agents stay as they were`;
      held.push([lookupKey(draft.name), words]);
    };
    for (const draft of drafts) {
      const [file] = vettedFile(draft);
      const before = file === undefined ? undefined : begun.get(file);
      const changed = before ? changedRights(before, draft) : ["it is new"];
      if (file === undefined || changed.length === 0 || (await isTrusted(draft, file))) {
        if (file !== undefined) begun.set(file, draft);
        kept.push(draft);
      } else if (before) {
        kept.push(before);
        hold(before, file, `has changed what ${before.name} may do (${changed.join(", ")})`);
      } else hold(draft, file, `has come as ${draft.name}`);
    }
    // What is gone may have stood in the way of one that may do more.
    const there = new Set(drafts.flatMap(vettedFile));
    const names = new Set([...fixed, ...kept].map(({ name }) => lookupKey(name)));
    for (const [file, draft] of begun)
      if (!there.has(file) && names.has(lookupKey(draft.name))) {
        kept.push(draft);
        hold(draft, file, `is gone, which would leave another ${draft.name}`);
      }
    return { drafts: kept, held: new Map(held) } satisfies Vetted;
  };
}

const TILL_TRUST = "before a person accepts it with sous trust";

const VETTED: ReadonlySet<number> = new Set([PRIORITY.project, PRIORITY.agentType]);
const vettedFile = ({ source }: Draft): string[] =>
  VETTED.has(source.priority) && source.file !== undefined ? [source.file] : [];
