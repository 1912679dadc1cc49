// The shape of the configuration files. `schema/config.schema.json` is made from it, and a test keeps the two the same.
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const text = (description: string) => Type.Optional(Type.String({ description }));
const ms = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const price = (description: string) => Type.Number({ minimum: 0, description });
const Provider = Type.Object(
  {
    api: Type.Enum(["anthropic", "openai", "openai-chat", "google"], { description: "The wire it speaks." }),
    baseUrl: text("Where it is, with or without /v1."),
    apiKeyEnv: text("The variable its key stands in."),
    apiKeyCommand: text("A command that prints its key."),
  },
  { ...closed, description: "A provider of models: a built-in one with other settings, or one of your own." },
);

const ModelFacts = Type.Object(
  {
    window: Type.Optional(Type.Integer({ minimum: 1, description: "Context window in tokens." })),
    price: Type.Optional(
      Type.Object(
        {
          input: price("US dollars per million input tokens."),
          output: price("US dollars per million output tokens."),
          cacheRead: Type.Optional(price("US dollars per million tokens read from the cache.")),
          cacheWrite: Type.Optional(price("US dollars per million tokens written to the cache.")),
        },
        closed,
      ),
    ),
  },
  closed,
);

const Limits = Type.Object(
  {
    maxTurns: Type.Optional(Type.Integer({ minimum: 1, description: "Model calls of a run, then it hands in." })),
    retries: Type.Optional(Type.Integer({ minimum: 0, description: "How often a failed model call is tried again." })),
    maxConcurrent: Type.Optional(Type.Integer({ minimum: 1, description: "Children that run at one time." })),
    maxDepth: Type.Optional(Type.Integer({ minimum: 0, description: "How deep children may nest." })),
    maxAgents: Type.Optional(Type.Integer({ minimum: 1, description: "Agents of one tree, the lead included." })),
    treeTurns: Type.Optional(Type.Integer({ minimum: 1, description: "Model calls of a whole tree, then it pauses." })),
    treeMinutes: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: "How long a tree works, then it pauses." }),
    ),
    onLimit: Type.Optional(
      Type.Enum(["queue", "refuse"], { description: "What happens to a child above maxConcurrent." }),
    ),
    modelCallsAtOnce: Type.Optional(Type.Integer({ minimum: 1, description: "Model calls under way at one time." })),
    tool: Type.Optional(
      Type.Object({ silenceMs: ms("Ends a tool call that shows no sign of life; default 30 minutes.") }, closed),
    ),
    model: Type.Optional(
      Type.Object(
        {
          connectMs: ms("Ends a call that gets no answer."),
          firstTokenMs: ms("Ends a call that says no first word."),
          silenceMs: ms("Ends a call that goes silent."),
          totalMs: ms("Ends a call that does not finish."),
        },
        closed,
      ),
    ),
  },
  closed,
);

const rules = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
const Permissions = Type.Object(
  {
    allow: rules("Rules of what may run unasked, such as Bash(npm test) or Edit(src/**)."),
    ask: rules("Rules of what is always asked, also in yolo."),
    deny: rules("Rules of what never runs."),
  },
  closed,
);

const Hook = Type.Object(
  {
    type: Type.Optional(Type.Enum(["command"])),
    command: Type.String({ minLength: 1, description: "Run by bash; gets JSON on its stdin. Exit 2 blocks." }),
    args: Type.Optional(Type.Array(Type.String(), { description: "With it, command is a program and not a line." })),
    timeout: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 86_400, description: "Seconds; default 60." })),
  },
  closed,
);
const HookGroups = Type.Array(
  Type.Object(
    {
      matcher: text("Whom it takes: a name, A|B, a regular expression; left out or *, all."),
      hooks: Type.Array(Hook),
    },
    closed,
  ),
);
const Hooks = Type.Record(Type.String(), HookGroups, {
  description: "Commands that step in, by event, as in Claude Code.",
});

/** What a project may say. Where keys go, and what is removed, only the person says. */
const shared = {
  $schema: Type.Optional(Type.String()),
  model: text("The model when none is asked for: provider/model or an alias."),
  mode: Type.Optional(
    Type.Enum(["human", "confirm", "yolo"], { description: "The mode of new sessions; a project may not say yolo." }),
  ),
  permissions: Type.Optional(Permissions),
  aliases: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "Your own names for models." })),
  models: Type.Optional(Type.Record(Type.String(), ModelFacts, { description: "Windows and prices by model." })),
  limits: Type.Optional(Limits),
  hooks: Type.Optional(Hooks),
  agents: Type.Optional(
    Type.Record(Type.String(), Type.Object({}), {
      description: "Agents by name, with the keys of an agent file: laid field by field over those of the same name.",
    }),
  ),
};

export const Config = Type.Object(
  {
    ...shared,
    approvals: Type.Optional(
      Type.Enum(["deny", "inbox", "allow"], {
        description:
          "Where nobody is there to ask: deny what asks, let it wait in the inbox, or allow all to children in the background.",
      }),
    ),
    providers: Type.Optional(Type.Record(Type.String(), Provider)),
    statusLine: Type.Optional(
      Type.Object(
        { command: Type.String({ minLength: 1, description: "Gets JSON on standard input and prints one line." }) },
        { ...closed, description: "The status line of the terminal's conversation." },
      ),
    ),
    retention: Type.Optional(
      Type.Object(
        {
          days: Type.Optional(
            Type.Number({ exclusiveMinimum: 0, description: "Sessions untouched for longer are removed." }),
          ),
          sessions: Type.Optional(Type.Integer({ minimum: 1, description: "Only this many sessions are kept." })),
        },
        { ...closed, description: "Which finished sessions are removed at the end of a run; left out: none." },
      ),
    ),
  },
  { ...closed, title: "Configuration of Sous" },
);
export type Config = Static<typeof Config>;

export const ProjectConfig = Type.Object(shared, closed);
export type ProjectConfig = Static<typeof ProjectConfig>;
