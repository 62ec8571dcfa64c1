import { retryAfterMs } from '../../../model/basics/retry-after.ts';

/** The headers that a receiver answers with, by their names in lower case. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The outcome of a request to a webhook. */
export type Verdict =
  | { readonly kind: 'delivered' }
  /** The receiver does not want this message. */
  | { readonly kind: 'skipped' }
  /** The receiver wants no further message. */
  | { readonly kind: 'disabled'; readonly isDelivered: boolean; readonly why: string }
  | {
      readonly kind: 'failed';
      readonly why: string;
      /** The receiver wants to be asked less often. */
      readonly slowsDown?: boolean | undefined;
      /** In milliseconds. */
      readonly retryAfter?: number | undefined;
    };

const TOO_MUCH: readonly number[] = [429, 502, 504];
const GONE = 410;

/** Reads an answer as Standard Webhooks has it; `now` in milliseconds since the epoch. */
export function verdictOf({ status, headers }: ReceiverAnswer, now: number): Verdict {
  const isDelivered = status >= 200 && status < 300;
  const wish = headerOf(headers, 'webhook-delivery')?.trim().toLowerCase();
  if (wish === 'disable') return { kind: 'disabled', isDelivered, why: 'webhook-delivery: disable' };
  if (status === GONE) return { kind: 'disabled', isDelivered, why: 'HTTP 410: the webhook is gone' };
  if (isDelivered) return { kind: 'delivered' };
  if (wish === 'abort-message') return { kind: 'skipped' };
  const why = status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
  const retryAfter = retryAfterMs(headerOf(headers, 'retry-after') ?? '', now);
  return { kind: 'failed', why, slowsDown: TOO_MUCH.includes(status), retryAfter };
}

function headerOf(headers: ReceiverAnswer['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}
