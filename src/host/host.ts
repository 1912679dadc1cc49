// The composition root: what all runs of one process share, and how a run begins.
import { systemClock, systemRandom } from "../adapters/clock/system-clock.ts";
import { createHttp } from "../adapters/models/http.ts";
import { forgetVariables } from "../adapters/processes/forget-variables.ts";
import { sweepLeftovers } from "../adapters/processes/leftovers.ts";
import { maskFreeText } from "../core/mask-free-text.ts";
import { createMask } from "../core/mask.ts";
import type { RunResult } from "../core/run-result.ts";
import { createRateGate } from "../engine/models/rate-gate.ts";
import { type ConversationSurroundings, beginConversation } from "./begin-conversation.ts";
import { type Config, checkedConfig, readConfig } from "./config.ts";
import { secretNames } from "./config/key-names.ts";
import { readKeys } from "./config/keys-file.ts";
import { speakToChild } from "./control/speak-to-child.ts";
import type { Conversation, LiveRun, RunOptions, Watcher } from "./conversation.ts";
import type { Embedded } from "./embedded.ts";
import { knownSecrets } from "./masking.ts";
import { createModelChoice } from "./model-choice.ts";
import { createPrepare } from "./prepare.ts";
import { promptText } from "./prompt-text.ts";
import { removeOld } from "./retention.ts";
import { mustBeHooks } from "./session-hooks.ts";
import { stateDirOf } from "./state-dir.ts";
import { withHome } from "./with-home.ts";

export type { Approval, Decision, Person } from "../ports/person.ts";

export type HostOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stateDir?: string;
  readonly configFile?: string;
  /** Instead of any file. */
  readonly config?: Config;
  /** Of the program that embeds us, for all runs. */
  readonly embedded?: Embedded;
};

export type Host = {
  readonly stateDir: string;
  open(options: RunOptions, watcher?: Watcher): Promise<Conversation>;
  /** Opens, runs once, and closes. */
  run(options: RunOptions, watcher?: Watcher): Promise<LiveRun>;
  /** Ends what engines that died left running; says what that was. */
  sweep(): Promise<readonly { readonly pid: number }[]>;
  /** Removes what the person's retention setting says is old; says how many sessions that was. */
  tidy(): Promise<number>;
  /** Takes the keys out of the process's own environment, also as other processes see it: the host has read them. */
  hideKeys(own: NodeJS.ProcessEnv): void;
  /** Lets go of kept connections; runs that still go on make new ones. */
  close(): void;
};

const withPromptText = (given: RunOptions): RunOptions =>
  given.prompt === undefined ? given : { ...given, prompt: promptText(given.prompt) };

export function createHost(options: HostOptions): Host {
  const env = withHome(options.env);
  const stateDir = stateDirOf(env, options.stateDir);
  const config = options.config ? checkedConfig(options.config, "given") : readConfig(env, options.configFile);
  const http = createHttp({ env });
  const gate = createRateGate(systemClock, systemRandom, config.limits?.modelCallsAtOnce ?? 64);
  const newId = (): string => systemRandom.uuid();
  const stored = readKeys(env);
  const mask = createMask(knownSecrets(config, env, stored));
  const chooseModel = createModelChoice({ config, env, http, newId, stored, onKey: mask.add });
  const prepare = createPrepare({ ...options, env, stateDir, config, mask, newId, chooseModel });

  const surroundings: ConversationSurroundings = {
    env,
    version: options.version,
    stateDir,
    config,
    gate,
    mask,
    chooseModel,
  };

  async function open(given: RunOptions, watcher: Watcher = {}): Promise<Conversation> {
    const wanted = withPromptText(given);
    const functions = mustBeHooks(wanted.hooks);
    const prepared = await prepare(wanted, (words) => watcher.notice?.(words));
    try {
      return await beginConversation(surroundings, prepared, wanted, watcher, functions);
    } catch (error) {
      await prepared.session.log.close();
      throw error;
    }
  }

  return {
    stateDir,
    open,
    sweep: () => sweepLeftovers(stateDir),
    tidy: () => removeOld(stateDir, config.retention, systemClock.now()),
    hideKeys: (own) => forgetVariables(secretNames(config), own),
    close: () => http.close(),
    async run(wanted, watcher) {
      const conversation = await open(wanted, watcher);
      const { child, prompt } = withPromptText(wanted);
      try {
        const spoken = child && (await speakToChild(conversation, child, prompt));
        const live = await conversation.start(child ? undefined : conversation.firstPrompt);
        const result = live.result.finally(async () => {
          await (spoken && spoken.ended);
          await conversation.close();
        });
        if (!child) return { ...live, result };
        const ofChild = (): RunResult | undefined => live.snapshot().sessions.get(child)?.result;
        return { ...live, result, childResult: result.then(() => maskFreeText(mask, ofChild())) };
      } catch (error) {
        await conversation.close();
        throw error;
      }
    },
  };
}
