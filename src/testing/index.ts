// The public test kit: `sous/testing`.
export * from "./wire-server/script.ts";
export type * from "./wire-server/step.ts";
export type { Turn } from "./wire-server/wires/wire.ts";
export type { WireRequest, WireRequest as FrozenRequest } from "./wire-server/wire-request.ts";
export { startWireServer, type WireServer, type WireServerOptions } from "./wire-server/start-wire-server.ts";
export { scripted, type ScriptedModel, type ScriptedModelOptions } from "./scripted-model.ts";
export { fakeClock, type FakeClock, type FakeClockOptions } from "./memory/fake-clock.ts";
export { seededRandom } from "./memory/seeded-random.ts";
export { tempDir, type TempDir } from "./memory/temp-dir.ts";
export { runProcess, type ProcessOutcome, type RunProcessOptions } from "./memory/run-process.ts";
export { waitFor } from "./memory/wait-for.ts";
