// Pages of the web as text. Bounded in time and size; never a private address unless its host was allowed by name.
export type Page =
  | {
      readonly ok: true;
      /** After redirects on the same host. */
      readonly url: string;
      readonly status: number;
      readonly type: string;
      readonly text: string;
      /** The page was longer than is read. */
      readonly cut: boolean;
    }
  /** It leads to another host or port, which has not been asked for. */
  | { readonly ok: false; readonly elsewhere: string; readonly status: number }
  | { readonly ok: false; readonly problem: string };

export interface Web {
  /** `mayFollow` says whether a redirect may lead there; it never leads to another host or port unasked. */
  fetch(url: URL, signal: AbortSignal, mayFollow?: (url: URL) => boolean): Promise<Page>;
}
