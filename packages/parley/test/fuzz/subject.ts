import { A2AServer, type A2AServerOptions, defineAgent, inputRequired } from 'parley-a2a';
import type { Logger } from 'parley-a2a/ports';
import { SPEAKERS_MOUNTS } from '../support/speakers.ts';

/** What the agent is told to ask instead of giving back what it got. */
export const ASK = 'ask';

const agent = defineAgent({
  name: 'fuzzed',
  description: 'Gives back what it gets',
  version: '1.0.0',
  inputModes: ['*/*'],
  extendedCard: true,
  async *run(task) {
    if (task.text !== ASK) yield task.parts;
    return task.text === ASK ? inputRequired('Which one?') : undefined;
  },
});

/** A server of every dialect that keeps nothing for long, and what it logged. */
export function startSubject(more: Partial<A2AServerOptions> = {}): {
  readonly server: A2AServer;
  readonly logged: readonly string[];
} {
  const logged: string[] = [];
  const note = (text: string, details?: Readonly<Record<string, unknown>>) => {
    // The first lines are enough to find the place; a flood of them is not to be kept.
    if (logged.length < 20) logged.push(`${text} ${details?.error instanceof Error ? details.error.stack : ''}`);
  };
  const log: Logger = { error: note, warn: () => {} };
  const retention = { keys: 1_000, contexts: 1_000 };
  // No name that is made up here is asked for or called.
  const push = { resolve: () => [], retry: { firstDelay: 1, longestDelay: 1, giveUpAfter: 1 } };
  return {
    server: new A2AServer({
      agents: [agent],
      mounts: SPEAKERS_MOUNTS,
      limits: { replyWindow: 0 },
      retention,
      log,
      push,
      anonymous: 'shared',
      ...more,
    }),
    logged,
  };
}
