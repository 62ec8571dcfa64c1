/** What one run through all kills is about. */
export interface Scenario {
  /** Which of the agents of `agents.ts`. */
  readonly agent: 'looping' | 'asking';
  /** The tools that each response of the model calls, side by side; after the last of them it only speaks. */
  readonly calls: readonly (readonly string[])[];
  /** Each response of the model is other than the one before it, and of another length. */
  readonly isFickle: boolean;
}
