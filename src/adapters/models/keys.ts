// A provider's key: given, or from the user's `apiKeyCommand`. Many requests share one source; a refusal makes it
// run the command once for all of them, and never forgets a key that worked.
import { runKeyCommand } from "./key-command.ts";

/** A key as some request used it. `generation` says how many refreshes had ended when it was handed out. */
export type Held = { readonly key: string | undefined; readonly generation: number };

export type KeySource = {
  get(): Promise<Held>;
  /** The provider refused `used`: a newer key, or the same when there is none. Single flight. */
  refresh(used: Held): Promise<Held>;
};

export type KeyOptions = {
  readonly value?: string | undefined;
  /** Run with `/bin/sh -c`; its output is the key. Wins over `value`. */
  readonly command?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
};

export function createKeySource(options: KeyOptions): KeySource {
  const { command } = options;
  let key = command ? undefined : options.value?.trim() || undefined;
  let generation = 0;
  let running: Promise<void> | undefined;

  const now = (): Held => ({ key, generation });

  /** A failed command rejects for everyone who waits and leaves the key as it was. */
  function run(line: string): Promise<void> {
    running ??= runKeyCommand(line, options.env, options.timeoutMs)
      .then((fresh) => {
        key = fresh;
      })
      .finally(() => {
        generation += 1;
        running = undefined;
      });
    return running;
  }

  return {
    async get() {
      if (command && key === undefined) await run(command);
      return now();
    },
    async refresh(used) {
      if (command && used.generation === generation) await run(command);
      return now();
    },
  };
}
