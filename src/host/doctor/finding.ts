// One thing that was looked at. Only what is `broken` keeps Sous from working.
export type Finding = {
  readonly check: string;
  readonly is: "ok" | "note" | "missing" | "broken";
  readonly says: string;
  readonly todo?: string;
};
