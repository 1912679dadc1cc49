// A number with its noun, which agrees with it: "1 file", "2 files".
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
