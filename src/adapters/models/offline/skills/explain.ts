import type { Skill } from "../skill.ts"; export const explain: Skill<unknown> = { stages: [], answer: () => "stub" };
