import type { RunEvent, RunListener } from '../../agent/run-event.ts';
import type { Logger } from '../../engine/ports.ts';
import type { Interceptors } from './interceptors.ts';

/** Says who is told of events of runs: undefined while no interceptor listens, so that no event is made. */
export function runListener(interceptors: Interceptors, log: Logger): () => RunListener | undefined {
  const tell = (event: RunEvent): void => {
    const failed = (error: unknown) =>
      log.error('An interceptor failed at an event of a run', { error, kind: event.kind, taskId: event.taskId });
    for (const listener of interceptors.listeners) {
      try {
        // An async function fits the type as well; nothing waits for it.
        const told: unknown = listener(event);
        if (told instanceof Promise) told.catch(failed);
      } catch (error) {
        failed(error);
      }
    }
  };
  return () => (interceptors.listeners.length > 0 ? tell : undefined);
}
