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
  /** It leads to another host, which has not been asked for. */
  | { readonly ok: false; readonly elsewhere: string; readonly status: number }
  | { readonly ok: false; readonly problem: string };

export interface Web {
  fetch(url: URL, signal: AbortSignal): Promise<Page>;
}
