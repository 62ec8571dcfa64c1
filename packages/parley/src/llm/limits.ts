import { requireRight, unknownMember } from '../model/options/checks.ts';

/** Bounds of a language-model agent, each with its own error or notice. */
export interface LlmLimits {
  /** Attempts of one model call, if it fails for a reason that may pass. Default 4. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; it doubles with each further one, give or take a quarter. Default 1,000. */
  readonly firstDelay: number;
  /** The longest wait before an attempt, even if the provider asks for more (`Retry-After`). Default 60,000 ms. */
  readonly longestDelay: number;
  /**
   * Milliseconds until a response must begin; then the attempt ends (`timeout`). 0 leaves only the server's limits.
   * Default 300,000.
   */
  readonly firstTokenTimeout: number;
  /**
   * Milliseconds of silence in the middle of a response; then the attempt ends (`timeout`). 0 leaves only the server's
   * limits. Default 120,000.
   */
  readonly tokenTimeout: number;
  /** Earlier tasks of the conversation that the model sees. Default 50. */
  readonly historyTasks: number;
  /** Characters of earlier tasks that the model sees, without files. The oldest tasks go first. Default 400,000. */
  readonly historyLength: number;
  /**
   * Files of messages that the model gets, over the whole conversation. Of older files it gets only the names. Default
   * 20.
   */
  readonly files: number;
  /** The largest file of a message, in bytes. Default 16 MiB. */
  readonly fileBytes: number;
  /** Characters of the result of a tool. The model hears how much was cut. Default 100,000. */
  readonly toolResultLength: number;
  /**
   * Characters of the arguments of a call that the caller approves or runs. The model hears of longer ones. Default
   * 20,000.
   */
  readonly askedArguments: number;
  /** Tool calls in one response of the model. The model hears of further ones. Default 32. */
  readonly toolCalls: number;
  /** Characters of one response of the model, with reasoning and tool arguments. Default 4,000,000. */
  readonly responseLength: number;
}

const DEFAULT_LLM_LIMITS: LlmLimits = {
  attempts: 4,
  firstDelay: 1000,
  longestDelay: 60_000,
  firstTokenTimeout: 300_000,
  tokenTimeout: 120_000,
  historyTasks: 50,
  historyLength: 400_000,
  files: 20,
  fileBytes: 16 * 1024 * 1024,
  toolResultLength: 100_000,
  askedArguments: 20_000,
  toolCalls: 32,
  responseLength: 4_000_000,
};

/** The defaults with what is given. Throws a TypeError for a limit that there is not, or that is no whole number. */
export function resolveLlmLimits(name: string, given: Partial<LlmLimits> = {}): LlmLimits {
  requireRight(`Agent "${name}"`, unknownMember('limits', given, Object.keys(DEFAULT_LLM_LIMITS)));
  const limits = { ...DEFAULT_LLM_LIMITS };
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const least = LEAST[key as keyof LlmLimits] ?? 0;
    if (!Number.isInteger(value) || value < least) {
      throw new TypeError(`limits.${key} of agent "${name}" must be a whole number from ${least}, not ${value}`);
    }
    Object.assign(limits, { [key]: value });
  }
  return limits;
}

const LEAST: Partial<LlmLimits> = {
  attempts: 1,
  historyLength: 1,
  toolResultLength: 1,
  askedArguments: 1,
  toolCalls: 1,
  responseLength: 1,
};
