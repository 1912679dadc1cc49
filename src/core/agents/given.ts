// A value as it was given for a key, before anything is made of it.
export type Given = {
  readonly key: string;
  readonly value: unknown;
  /** As it is written in the file, without quotes or structure taken off. */
  readonly raw: string;
  /** Written without quotes. */
  readonly plain: boolean;
  readonly line: number;
};
