// What `sous` gives to programs that embed it: the vocabulary of events and results, and the ports to implement.
export type * from "./core/end-state.ts";
export type * from "./core/events.ts";
export type * from "./core/ids.ts";
export type * from "./core/json.ts";
export type * from "./core/messages.ts";
export * from "./core/model-fault.ts";
export type * from "./core/run-result.ts";
export type * from "./core/tool-outcome.ts";
export type * from "./core/usage.ts";
export type * from "./ports/clock.ts";
export type * from "./ports/model.ts";
export type * from "./ports/processes.ts";
export type * from "./ports/tree-log.ts";
