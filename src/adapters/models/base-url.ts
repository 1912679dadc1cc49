// Base URLs as people write them: with or without a trailing slash, with or without the version.
/** `https://host/x/` or `https://host/x/v1` → `https://host/x/v1`. A version of any kind that is there is kept. */
export function versioned(base: string, version: string): string {
  const plain = base.trim().replace(/\/+$/, "");
  return /\/v\d+[a-z]*\d*$/.test(plain) ? plain : `${plain}/${version}`;
}
