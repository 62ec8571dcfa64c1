import type { RunEvent, RunListener } from '../../agent/run-event.ts';
import type { Logger } from '../../engine/ports.ts';
import { callAlone } from '../../model/basics/promises.ts';
import type { Interceptors } from './interceptors.ts';

/** Says who is told of events of runs: undefined while no interceptor listens, so that no event is made. */
export function runListener(interceptors: Interceptors, log: Logger): () => RunListener | undefined {
  const tell = (event: RunEvent): void => {
    const failed = (error: unknown) =>
      log.error('An interceptor failed at an event of a run', { error, kind: event.kind, taskId: event.taskId });
    for (const listener of interceptors.listeners) callAlone(() => listener(event), failed);
  };
  return () => (interceptors.listeners.length > 0 ? tell : undefined);
}
