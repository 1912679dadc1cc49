// TOML, loaded only when a file of that kind is imported.
export type TomlReader = (
  text: string,
) => Record<string, unknown> | { readonly problem: string; readonly line: number };

export async function loadToml(): Promise<TomlReader> {
  const { TomlError, parse } = await import("smol-toml");
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      return { problem: error.message.split("\n")[0] ?? "it is not TOML", line: error.line };
    }
  };
}
