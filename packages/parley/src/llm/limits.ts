/** The bounds of a language-model agent, each with an error or a notice of its own. */
export interface LlmLimits {
  /** Attempts of one model call, where it fails for a reason that may pass. Default 4. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; each later one waits twice as long as the one before. Default 1,000. */
  readonly retryDelay: number;
  /** The longest wait before an attempt, also where the provider asks for more (`Retry-After`). Default 60,000 ms. */
  readonly longestDelay: number;
  /**
   * Milliseconds until a response must have begun; the attempt is then given up (`timeout`). 0: no limit but
   * the server's. Default 300,000.
   */
  readonly firstTokenTimeout: number;
  /**
   * Milliseconds of silence in the middle of a response; the attempt is then given up (`timeout`). 0: no limit but the
   * server's. Default 120,000.
   */
  readonly tokenTimeout: number;
  /** Earlier tasks of the conversation that the model sees. Default 50. */
  readonly historyTasks: number;
  /** Characters of earlier tasks that the model sees, files not counted; the oldest tasks are left out first. Default 400,000. */
  readonly historyLength: number;
  /** Files of messages that are handed to the model, over the whole conversation; the oldest are named only. Default 20. */
  readonly files: number;
  /** The largest file of a message, in bytes. Default 16 MiB. */
  readonly fileBytes: number;
  /** Characters of a tool's result; the model is told what was cut. Default 100,000. */
  readonly toolResultLength: number;
  /** Characters of the arguments of a call that the caller approves or runs; the model is told of longer ones. Default 20,000. */
  readonly askedArguments: number;
  /** Tool calls in one response of the model; the model is told of those beyond. Default 32. */
  readonly toolCalls: number;
  /** Characters of one response of the model, reasoning and tool arguments included. Default 4,000,000. */
  readonly responseLength: number;
}

export const DEFAULT_LLM_LIMITS: LlmLimits = {
  attempts: 4,
  retryDelay: 1000,
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

/** The defaults with what is given; a limit that is no whole number from its least value is refused. */
export function resolveLlmLimits(name: string, given: Partial<LlmLimits> = {}): LlmLimits {
  const limits = { ...DEFAULT_LLM_LIMITS };
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!(key in limits)) throw new TypeError(`Agent "${name}" has no limit "${key}"`);
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
