// The four wires, and which of them a path belongs to.
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Wire } from "./wire.ts";

export const wires: readonly Wire[] = [anthropic, openaiChat, openaiResponses, gemini];

export const wireOf = (path: string): Wire | undefined => wires.find((wire) => wire.path.test(path));
