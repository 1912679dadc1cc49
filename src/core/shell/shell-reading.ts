// What a shell command would do, as far as that is certain: every program it starts, every file it opens by itself.
export type ShellReading = {
  /** Why it cannot be told for certain what would run; undefined when it can. */
  readonly doubt?: string;
  /**
   * A doubt that goes further: programs that the command names, or files that it opens, may be missing in what follows.
   * Rules that deny cannot be judged then.
   */
  readonly unread?: string;
  /** Why it may show more than what its commands read: the value of a variable, or names of files somewhere. */
  readonly reveals?: string;
  /** The same command, printed from what was read of it: it is what runs unless somebody said yes to its own bytes. */
  readonly text?: string;
  /** The same with every git that only reads held to the one repository; undefined where it runs none, or cannot be. */
  readonly inert?: string;
  /** Every simple command, those inside substitutions, bodies and wrappers among them. */
  readonly parts: readonly ShellPart[];
  /** Files that redirections write; what is thrown away (/dev/null) is not among them. */
  readonly writes: readonly string[];
  /** Files that redirections read, or that the shell looks up by itself. */
  readonly reads: readonly string[];
};

export type ShellPart = {
  /** Its words as the program gets them; the first is the program. null: known only when it runs. */
  readonly words: readonly (string | null)[];
  /** Which of the words that are known only when it runs are one word all the same, whatever it says. */
  readonly single?: readonly number[];
  /** How it is written, for people. */
  readonly text: string;
  /** Variables that are set for it, or by it. */
  readonly sets: readonly string[];
  /**
   * Why a rule for its program does not cover it: it runs other programs in a way that is not unwrapped, or changes
   * what later words mean.
   */
  readonly opaque?: string;
  /** It is given something to read by the command itself: a pipe, a file, a text. For some programs that is a script. */
  readonly fed?: true;
  /** What texts among its words would run, for rules that deny; and why that may not be all. */
  readonly carried?: { readonly parts: readonly ShellPart[]; readonly unread?: string };
  /** A wrapper that runs only what follows it, which is a part of its own. */
  readonly wraps?: true;
};
