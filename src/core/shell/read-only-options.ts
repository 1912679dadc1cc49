// The options of a program that keep it from doing more than read, and the paths it reads then.

/** The paths such a command reads; undefined when it is not known to only read. */
export type ReadOnly =
  | {
      readonly paths: readonly string[];
      /** What is below the paths is read too. */
      readonly deep?: boolean;
      /** It is git, and shows what files hold or held, or less than that. */
      readonly git?: "contents" | "names";
    }
  | undefined;

export type ProgramOptions = {
  /** Short options that may be joined, and may end in a number. */
  readonly short?: string;
  readonly long?: readonly string[];
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** How many operands come before the paths: a pattern. */
  readonly skip?: number;
  /** More operands than this would be written to. */
  readonly most?: number;
  /** Its operands are no paths. */
  readonly noPaths?: true;
};

/** The operands that are paths, or undefined when an option is not known to be harmless. */
export function pathsOf(args: readonly string[], table: ProgramOptions): readonly string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else if (!isKnown(word, table)) return undefined;
    else if (table.valued?.includes(word)) at++;
  }
  if (table.most !== undefined && operands.length > table.most) return undefined;
  return table.noPaths ? [] : operands.slice(table.skip ?? 0).filter((word) => word !== "-");
}

/** Only whole names: a program would take `--outp` for `--output`. */
function isKnown(word: string, { short = "", long = [], valued = [] }: ProgramOptions): boolean {
  if (word.startsWith("--")) return long.includes(word.slice(2).split("=")[0] ?? "");
  if (valued.includes(word.slice(0, 2)) && word.length > 2) return true;
  const letters = word.slice(1).replace(/(?<!\d)\d+$/, "");
  return [...letters].every((letter) => short.includes(letter));
}
