// The person's configuration file, read here and turned into values; nothing below the host sees it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Errors } from "typebox/schema";
import { HostError } from "./host-error.ts";

const closed = { additionalProperties: false };
const Provider = Type.Object(
  {
    api: Type.Union([
      Type.Literal("anthropic"),
      Type.Literal("openai"),
      Type.Literal("openai-chat"),
      Type.Literal("google"),
    ]),
    baseUrl: Type.Optional(Type.String()),
    apiKeyEnv: Type.Optional(Type.String()),
    apiKeyCommand: Type.Optional(Type.String()),
  },
  closed,
);
const ModelFacts = Type.Object(
  {
    window: Type.Optional(Type.Integer({ minimum: 1 })),
    price: Type.Optional(
      Type.Object(
        {
          input: Type.Number({ minimum: 0 }),
          output: Type.Number({ minimum: 0 }),
          cacheRead: Type.Optional(Type.Number({ minimum: 0 })),
          cacheWrite: Type.Optional(Type.Number({ minimum: 0 })),
        },
        closed,
      ),
    ),
  },
  closed,
);
const Ms = Type.Optional(Type.Integer({ minimum: 1 }));
const Config = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    providers: Type.Optional(Type.Record(Type.String(), Provider)),
    aliases: Type.Optional(Type.Record(Type.String(), Type.String())),
    models: Type.Optional(Type.Record(Type.String(), ModelFacts)),
    limits: Type.Optional(
      Type.Object(
        {
          maxTurns: Type.Optional(Type.Integer({ minimum: 1 })),
          retries: Type.Optional(Type.Integer({ minimum: 0 })),
          modelCallsAtOnce: Type.Optional(Type.Integer({ minimum: 1 })),
          model: Type.Optional(Type.Object({ connectMs: Ms, firstTokenMs: Ms, silenceMs: Ms, totalMs: Ms }, closed)),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type Config = Static<typeof Config>;

export function configFile(env: NodeJS.ProcessEnv): string {
  return join(env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? "/", ".config"), "sous", "config.json");
}

/** `given` was named by the person and must exist; the default place may be empty. */
export function readConfig(env: NodeJS.ProcessEnv, given: string | undefined): Config {
  const file = given ?? configFile(env);
  let words: string;
  try {
    words = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && given === undefined) return {};
    throw new HostError(`the configuration ${file} cannot be read (${code}): mend it or name another with --config`);
  }
  let value: unknown;
  try {
    value = JSON.parse(words);
  } catch (error) {
    throw new HostError(`the configuration ${file} is not JSON: ${(error as Error).message}`);
  }
  const [fits, problems] = Errors(Config, value);
  if (fits) return value as Config;
  const first = problems[0];
  const where = first?.instancePath.slice(1).replaceAll("/", ".") || "it";
  throw new HostError(`the configuration ${file} is wrong: ${where} ${first?.message ?? "does not fit"}`);
}
