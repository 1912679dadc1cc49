// Text from outside made fit for one line of a message: no control characters, bounded.
export function oneLine(text: string, limit = 300): string {
  const flat = text
    .slice(0, limit * 4)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat;
}
