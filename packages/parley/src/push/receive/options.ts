import type { StreamEvent } from '../../model/task.ts';
import type { PushNotification } from '../verify/notification.ts';
import type { VerifyOptions } from '../verify/options.ts';
import type { PushError } from '../verify/push-error.ts';
import type { PushStore } from './recent-pushes.ts';

/**
 * Checks of senders, and the handler. Set at least one of `secret`, `publicKey`, `jwksUrl`, `token` and
 * `authorization`. A notification must pass all that you set.
 */
export interface PushReceiverOptions extends VerifyOptions {
  /**
   * Called with each event once: those of one task in order, one at a time. The sender waits for it, for 15 to 30
   * seconds. If it throws, the receiver responds with 500 and the sender tries again later.
   */
  readonly onEvent: (event: StreamEvent, notification: PushNotification) => unknown;
  /** The `token` of the push config, or several. */
  readonly token?: string | readonly string[] | undefined;
  /** The `Authorization` that the push config asks for, such as `Bearer abc`, or several. */
  readonly authorization?: string | readonly string[] | undefined;
  /** The expected tasks, or a function that knows them. Default: all. */
  readonly tasks?: Iterable<string> | ((taskId: string) => boolean | Promise<boolean>) | undefined;
  /** Remembers handled notifications. Default: the last 10,000 notifications and tasks, in memory. */
  readonly store?: PushStore | undefined;
  /** Called with an error of `onEvent` or the store. Default: `console.error`. */
  readonly onError?: ((error: unknown, notification: PushNotification | undefined) => void) | undefined;
  /** Called for each refused notification. Default: nothing. */
  readonly onRefused?: ((error: PushError) => void) | undefined;
}
