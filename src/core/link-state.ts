// What stands at a path, in one word for undo: the hash of a file, or a link by where it leads.

const LINK = "link ";

export const linkState = (target: string): string => `${LINK}${target}`;

/** Where a link leads; undefined: it is no link. */
export const linkTarget = (state: string | null): string | undefined =>
  state?.startsWith(LINK) ? state.slice(LINK.length) : undefined;
