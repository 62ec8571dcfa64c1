import type { TaskIdentity } from '../log/task-log.ts';
import type { MessageDraft, Runner } from '../turn/runner.ts';
import type { TaskServices } from './task-services.ts';

/** Tells the agent that a task without a run is canceled; waits for as long as the handlers of a run may take. */
export async function tellCanceled(
  { canceled }: Runner,
  { id, contextId, agent }: TaskIdentity,
  { clock, limits, logger }: TaskServices,
): Promise<MessageDraft | undefined> {
  if (!canceled) return undefined;
  const grace = Promise.withResolvers<undefined>();
  const stopTimer = clock.after(limits.cancelGrace, () => grace.resolve(undefined));
  const told = Promise.resolve({ id, contextId }).then(canceled);
  told.catch((error: unknown) => {
    logger.warn('An agent failed when its task was canceled', { taskId: id, agent, error });
  });
  return Promise.race([told, grace.promise])
    .catch(() => undefined)
    .finally(stopTimer);
}
