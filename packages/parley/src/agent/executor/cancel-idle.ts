import type { MessageContent } from '../outcomes.ts';
import { ExecutorBus } from './bus.ts';
import { publishedOf } from './published.ts';
import { contentOf } from './shapes.ts';
import type { ExecutorLike } from './types.ts';

/** Tells an executor that a task is canceled between its turns; gives what it says about that. */
export async function cancelIdle(executor: ExecutorLike, taskId: string): Promise<MessageContent | undefined> {
  let said: MessageContent | undefined;
  const publish = (event: unknown) => {
    const published = publishedOf(event);
    if (published.kind === 'status' && published.state === 'canceled' && published.message) {
      said = contentOf(published.message);
    }
  };
  await executor.cancelTask?.(taskId, new ExecutorBus({ publish, finished: () => {} }) as never);
  return said;
}
