import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerInterceptor } from '../server/intercept/interceptors.ts';
import { consoleLog } from '../server/operator/console-log.ts';
import { quietLog } from '../server/operator/quiet-log.ts';
import type { A2AServerOptions } from '../server/options.ts';

/**
 * Keeps the process alive where the code of an agent leaves a rejection unhandled, or throws outside of any catch: it
 * is logged with the agent and the task. It changes what Node does for the whole process, so the host decides.
 *
 * @example
 * new A2AServer({ agents, interceptors: [logStrayErrors()] });
 */
export function logStrayErrors(log: NonNullable<A2AServerOptions['log']> = consoleLog): ServerInterceptor {
  const running = new AsyncLocalStorage<{ readonly agent: string; readonly taskId: string }>();
  const quiet = quietLog(log);
  process.on('unhandledRejection', (error) => {
    quiet.error('A rejection was not handled', { ...running.getStore(), error });
  });
  process.on('uncaughtException', (error) => {
    quiet.error('An error was not caught', { ...running.getStore(), error });
  });
  return { run: ({ agent, taskId }, next) => running.run({ agent, taskId }, next) };
}
