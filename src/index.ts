// What `sous` gives to programs that embed it: agents, tools and hosts of their own, and the words for what happens.
export { createHost, type CreateHostOptions, type Host, type RunAgentOptions } from "./library/create-host.ts";
export { defineAgent, type Agent } from "./library/define-agent.ts";
export { defineTool, type AnyTool, type ToolDefinition, type TypeOf } from "./library/define-tool.ts";
export { runAgent } from "./library/run-agent.ts";
export type { AgentRun } from "./library/agent-run.ts";
export type { ChildControls } from "./library/child-controls.ts";
export type { Conversation } from "./library/conversation.ts";
export type { AgentOptions, Permissions, WatchOptions } from "./library/options.ts";
export type { AgentQuestion, PersonCallbacks } from "./library/person.ts";
export type { Sessions } from "./library/sessions.ts";
export type {
  AgentEvent,
  SubAgentEnd,
  SubAgentIds,
  SubAgentProgress,
  SubAgentStart,
} from "./library/sub-agent-events.ts";
export type { SubAgentResult } from "./library/sub-agent-result.ts";
export type { ToolCallInfo, ToolCheckInfo, ToolReturn } from "./engine/tools/own-tool.ts";
export { HostError, type HostErrorCode } from "./host/host-error.ts";
export type { Config } from "./host/config/schema.ts";
export type { SessionRow } from "./host/session-store.ts";
// A model of your own: what it implements, what it is asked, what it throws.
export { ModelFault, type Fault, type FaultCode } from "./core/model-fault.ts";
export type { Effort, Finish, Model, ModelPart, ModelRequest, Reply, ToolSpec } from "./ports/model.ts";
export type { Approval, Decision } from "./ports/person.ts";
// Functions that step in.
export type { HookAnswer } from "./core/hooks/hook-answer.ts";
export type { HookEvent } from "./core/hooks/hook-events.ts";
export type { HookInput } from "./core/hooks/hook-input.ts";
export type { FunctionHooks, HookFunction } from "./core/hooks/hook-set.ts";
// What is recorded and told.
export type {
  Approvals,
  Budget,
  DurableEvent,
  Limits,
  Live,
  LiveEvent,
  Mode,
  Protocol,
  Recorded,
  StreamEvent,
  WaitingFor,
} from "./core/events.ts";
export type { AgentPath, CallId, InputId, ItemId, RunId, SessionId } from "./core/ids.ts";
export type { Answer, ApprovalAsked, Asked } from "./core/inbox.ts";
export type { Json, JsonObject } from "./core/json.ts";
export type {
  AssistantMessage,
  BadCallPart,
  CallPart,
  ImagePart,
  Message,
  ReasoningPart,
  ReplyPart,
  Said,
  TextPart,
  ToolMessage,
  ToolResult,
  UserMessage,
} from "./core/messages.ts";
export type { EndState, HaltState, Receipt, RunResult } from "./core/run-result.ts";
export type { Facts, FileChange, ToolOutcome } from "./core/tool-outcome.ts";
export type { Cost, Usage } from "./core/usage.ts";
