// File sizes of the product: many small modules from the first day.
import { isProduct, type Files } from "./files.ts";

const MEDIAN = 120;
const NINE_OF_TEN = 250;
const LARGEST = 400;

export function hasFittingSizes(files: Files): readonly string[] {
  const sizes = Object.entries(files)
    .filter(([path]) => isProduct(path))
    .map(([path, text]) => ({ path, lines: text.trimEnd().split("\n").length }))
    .sort((a, b) => a.lines - b.lines);
  const at = (part: number): number => sizes[Math.floor((sizes.length - 1) * part)]?.lines ?? 0;
  return [
    ...(at(0.5) > MEDIAN ? [`the median is ${at(0.5)} lines, not ${MEDIAN}`] : []),
    ...(at(0.9) >= NINE_OF_TEN ? [`nine of ten are under ${at(0.9)} lines, not ${NINE_OF_TEN}`] : []),
    ...sizes.filter(({ lines }) => lines > LARGEST).map(({ path, lines }) => `${path} has ${lines} lines`),
  ];
}
