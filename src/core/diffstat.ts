// How many lines a change added and removed. Pure, and bounded in time however the two texts differ.

export type Diffstat = { readonly added: number; readonly removed: number };

/** Beyond this many steps the count is made from the lines alone, whatever their order. */
const MOST_STEPS = 500_000;
const MOST_DISTANCE = 2_000;

export function diffstat(before: string, after: string): Diffstat {
  const [a, b] = differing(linesOf(before), linesOf(after));
  const distance = editDistance(a, b);
  if (distance === undefined) return byCount(a, b);
  const grown = b.length - a.length;
  return { added: (distance + grown) / 2, removed: (distance - grown) / 2 };
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  // A last line without its end differs from the same line with it.
  if (lines.at(-1) === "") lines.pop();
  else lines[lines.length - 1] += "\n";
  return lines;
}

/** Without the lines that both begin and end with. */
function differing(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Myers' greedy walk: how few insertions and deletions lead from `a` to `b`; undefined when that takes too long. */
function editDistance(a: readonly string[], b: readonly string[]): number | undefined {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  // The furthest point reached on each diagonal; diagonal 0 stands in the middle.
  const furthest = new Int32Array(2 * MOST_DISTANCE + 3);
  const middle = MOST_DISTANCE + 1;
  let steps = 0;
  for (let d = 0; d <= MOST_DISTANCE; d++) {
    for (let k = -d; k <= d; k += 2) {
      const [down, right] = [furthest[middle + k + 1]!, furthest[middle + k - 1]!];
      let x = k === -d || (k !== d && right < down) ? down : right + 1;
      for (; x < a.length && x - k < b.length && a[x] === b[x - k]; x++) steps++;
      furthest[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return d;
      if (++steps > MOST_STEPS) return undefined;
    }
  }
  return undefined;
}

function byCount(a: readonly string[], b: readonly string[]): Diffstat {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let kept = 0;
  for (const line of b) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    kept++;
  }
  return { added: b.length - kept, removed: a.length - kept };
}
