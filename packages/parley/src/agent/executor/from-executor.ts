import type { Agent } from '../agent.ts';
import { defineAgent } from '../define.ts';
import { cancelIdle } from './cancel-idle.ts';
import { isOfficialCard, optionsOf } from './card.ts';
import { ExecutorTurn } from './turn.ts';
import type { ExecutorAgentOptions, ExecutorCard, ExecutorLike } from './types.ts';

/**
 * Hosts an agent that was written for the official SDK (`@a2a-js/sdk`), unchanged. The second argument says what stands
 * on the card: as for `defineAgent`, or the official card that the agent has. See docs/migrating.md.
 *
 * @example
 * const server = new A2AServer({ agents: [fromExecutor(new MovieExecutor(), movieCard)] });
 */
export function fromExecutor(executor: ExecutorLike, about: ExecutorAgentOptions | ExecutorCard): Agent {
  const { sdk = '1.x', ...definition } = isOfficialCard(about) ? optionsOf(about) : about;
  return defineAgent({
    ...definition,
    run: (task) => new ExecutorTurn(executor, task, sdk).run(),
    onCancel: ({ id }) => cancelIdle(executor, id),
  });
}
