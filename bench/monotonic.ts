// Milliseconds on the one clock that every process of a machine shares.
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
