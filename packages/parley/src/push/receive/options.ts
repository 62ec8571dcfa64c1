import type { StreamEvent } from '../../model/task.ts';
import type { PushNotification } from '../verify/notification.ts';
import type { VerifyOptions } from '../verify/options.ts';
import type { PushError } from '../verify/push-error.ts';
import type { PushStore } from './recent-pushes.ts';

/**
 * How a receiver knows its senders, and what it does. At least one of `secret`, `publicKey`, `jwksUrl`, `token` and
 * `authorization` is needed; all that are given must be right.
 */
export interface PushReceiverOptions extends VerifyOptions {
  /**
   * Called with each event: of one task in order, one at a time, once. The sender waits for it, for 15 to 30 seconds. What
   * it throws is told as 500, and the sender tries again later.
   */
  readonly onEvent: (event: StreamEvent, notification: PushNotification) => unknown;
  /** The `token` of the push config, or several. */
  readonly token?: string | readonly string[] | undefined;
  /** The `Authorization` that the push config asks for, such as `Bearer abc`, or several. */
  readonly authorization?: string | readonly string[] | undefined;
  /** The tasks that are expected, or a function that knows. Default: all. */
  readonly tasks?: Iterable<string> | ((taskId: string) => boolean | Promise<boolean>) | undefined;
  /** Remembers what was handled. Default: the last 10,000 notifications and tasks, in memory. */
  readonly store?: PushStore | undefined;
  /** Told of what `onEvent` or the store threw. Default: `console.error`. */
  readonly onError?: ((error: unknown, notification: PushNotification | undefined) => void) | undefined;
  /** Told of notifications that were refused. Default: nobody. */
  readonly onRefused?: ((error: PushError) => void) | undefined;
}
