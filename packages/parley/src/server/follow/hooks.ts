import type { ServerInterceptor } from '../intercept/interceptors.ts';
import type { EventHandler } from './event-handlers.ts';

/**
 * The functions by which a server is extended without being around its work. `onEvent` follows commits; `transform` is the
 * interceptor of what is sent.
 */
export interface ServerHooks extends Pick<ServerInterceptor, 'transform'> {
  /**
   * Called with every committed event, after the commit, on the node that made it: the task when it is created, each
   * message of the caller, each status and each chunk. Nothing waits for it. It gets one event at a time: while the
   * promise that it returned is pending, the next ones are held, up to 10 000; further ones are left out, and that is
   * logged.
   */
  readonly onEvent?: EventHandler | undefined;
}
