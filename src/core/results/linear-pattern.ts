// A regular expression that is matched in time linear in the text, so that no pattern of a schema can hang the process.
// It knows what JavaScript's knows but look-around and back-references. Each single character is tested natively.

/** Whether it occurs in the text; undefined when the text is too long for it to be said. */
export type LinearPattern = { test(text: string): boolean | undefined };

const MOST_CHARS = 1_000;
const MOST_STEPS = 2_000;
/** Steps times characters: less than a tenth of a second. */
const MOST_WORK = 1_000_000;

export function linearPattern(source: string): LinearPattern | { readonly problem: string } {
  if (source.length > MOST_CHARS) return { problem: `is longer than ${MOST_CHARS} characters` };
  const flags = ["u", ""].find((one) => compiles(source, one));
  if (flags === undefined) return { problem: "is no regular expression" };
  try {
    const program: Step[] = [];
    emit(parse(source, flags), program);
    program.push({ is: "match" });
    return { test: (text) => matches(program, text) };
  } catch (error) {
    if (error instanceof NotLinear) return { problem: error.message };
    throw error;
  }
}

type Node =
  | { readonly is: "one"; readonly of: RegExp }
  | { readonly is: "at"; readonly at: "^" | "$" | "b" | "B" }
  | { readonly is: "all" | "any"; readonly of: readonly Node[] }
  | { readonly is: "repeat"; readonly of: Node; readonly min: number; readonly max: number };

type Step =
  | { readonly is: "one"; readonly of: RegExp }
  | { readonly is: "at"; readonly at: "^" | "$" | "b" | "B" }
  | { readonly is: "to"; to: number[] }
  | { readonly is: "match" };

class NotLinear extends Error {}

function compiles(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The source is known to be well-formed: JavaScript has compiled it. */
function parse(source: string, flags: string): Node {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  function choices(): Node {
    const of = [sequence()];
    while (take(/\|/y)) of.push(sequence());
    return of.length === 1 ? of[0]! : { is: "any", of };
  }
  function sequence(): Node {
    const of: Node[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") of.push(repeated(atom()));
    return { is: "all", of };
  }
  function repeated(of: Node): Node {
    const sign = take(/[*+?]|\{\d+(,\d*)?\}/y);
    if (sign === undefined) return of;
    take(/\?/y);
    const [min = 0, max] = sign.startsWith("{")
      ? sign.slice(1, -1).split(",").map(Number)
      : [sign === "+" ? 1 : 0, sign === "?" ? 1 : 0];
    const open = sign === "*" || sign === "+" || sign.endsWith(",}");
    return { is: "repeat", of, min, max: open ? Infinity : (max ?? min) };
  }
  function atom(): Node {
    const edge = take(/[\^$]|\\[bB]/y);
    if (edge !== undefined) return { is: "at", at: edge.at(-1) as "^" };
    if (take(/\((?!\?)|\(\?:|\(\?<(?![=!])[^>]*>/y)) {
      const inner = choices();
      take(/\)/y);
      return inner;
    }
    if (source[at] === "(" || take(/\\[1-9k]/y))
      throw new NotLinear("uses look-around, a back-reference or inline flags, which are not supported");
    const one = take(
      /\[(?:\\[^]|[^\]\\])*\]|\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[pP]\{[^}]*\}|\\c[a-z]|\\[^]/iy,
    );
    if (one !== undefined) return { is: "one", of: new RegExp(`^${one}$`, flags) };
    const char = String.fromCodePoint(source.codePointAt(at)!);
    at += char.length;
    return { is: "one", of: new RegExp(`^${char}$`, flags) };
  }
  return choices();
}

function emit(node: Node, program: Step[]): void {
  if (program.length > MOST_STEPS) throw new NotLinear("repeats too much");
  switch (node.is) {
    case "all":
      for (const one of node.of) emit(one, program);
      return;
    case "any": {
      const fork: Step = { is: "to", to: [] };
      program.push(fork);
      const ends = node.of.map((one) => {
        fork.to.push(program.length);
        emit(one, program);
        const end: Step = { is: "to", to: [] };
        program.push(end);
        return end;
      });
      for (const end of ends) end.to.push(program.length);
      return;
    }
    case "repeat":
      return emitRepeat(node, program);
    default:
      program.push(node);
  }
}

function emitRepeat({ of, min, max }: Extract<Node, { is: "repeat" }>, program: Step[]): void {
  for (let n = 0; n < min; n++) emit(of, program);
  const skips: Extract<Step, { is: "to" }>[] = [];
  for (let n = min; n < (max === Infinity ? min + 1 : max); n++) {
    const fork = { is: "to" as const, to: [program.length + 1] };
    program.push(fork);
    skips.push(fork);
    emit(of, program);
    if (max === Infinity) program.push({ is: "to", to: [program.indexOf(fork)] });
  }
  for (const fork of skips) fork.to.push(program.length);
}

/** All ways through the program at once, character by character. */
function matches(program: readonly Step[], text: string): boolean | undefined {
  if (text.length * program.length > MOST_WORK) return undefined;
  const chars = [...text];
  let now = new Set<number>();
  for (let at = 0; ; at++) {
    reach(program, 0, now, chars, at);
    if (now.has(program.length - 1)) return true;
    const char = chars[at];
    if (char === undefined) return false;
    const next = new Set<number>();
    for (const step of now) {
      const here = program[step]!;
      if (here.is === "one" && here.of.test(char)) reach(program, step + 1, next, chars, at + 1);
    }
    now = next;
  }
}

function reach(program: readonly Step[], from: number, seen: Set<number>, chars: readonly string[], at: number): void {
  const todo = [from];
  for (let step = todo.pop(); step !== undefined; step = todo.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    const here = program[step]!;
    if (here.is === "to") todo.push(...here.to);
    if (here.is === "at" && holds(here.at, chars, at)) todo.push(step + 1);
  }
}

function holds(edge: "^" | "$" | "b" | "B", chars: readonly string[], at: number): boolean {
  if (edge === "^") return at === 0;
  if (edge === "$") return at === chars.length;
  const isWord = (char: string | undefined): boolean => char !== undefined && /^\w$/.test(char);
  return (isWord(chars[at - 1]) !== isWord(chars[at])) === (edge === "b");
}
