import { decodeNotification, type NotificationDialect } from '../../dialects/notifications.ts';
import { faultOf } from '../../model/basics/json.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import type { StreamEvent } from '../../model/task.ts';
import { SEQ_HEADER } from '../signature/headers.ts';
import { PushError } from './push-error.ts';
import { headerOf, type ReceivedHeaders } from './received-request.ts';

/** Deeper than any notification, and no danger to the stack. */
const DEEPEST_BODY = 100;

/** One event of a task, as a webhook was told. */
export interface PushNotification {
  /** The `webhook-id`: the same each time that this notification is sent. */
  readonly id: string;
  /** When it was sent, in seconds since the epoch. */
  readonly timestamp: number;
  /** The place of the event in the task's log, where the sender is Parley. It grows from one event of a task to the next. */
  readonly seq: number | undefined;
  readonly taskId: string;
  readonly event: StreamEvent;
  /** The vocabulary that the body was in. */
  readonly dialect: NotificationDialect;
}

/** Reads the body and the place of its event. Throws INVALID_BODY or INVALID_HEADER. */
export function readNotification(
  headers: ReceivedHeaders,
  body: Uint8Array,
  proved: Pick<PushNotification, 'id' | 'timestamp'>,
): PushNotification {
  const { event, dialect } = readBody(body);
  return { ...proved, seq: seqOf(headers), taskId: taskIdOf(event), event, dialect };
}

function readBody(body: Uint8Array): ReturnType<typeof decodeNotification> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new PushError('INVALID_BODY', 'The body is not JSON', error);
  }
  if (faultOf(DEEPEST_BODY, value))
    throw new PushError('INVALID_BODY', 'The body is nested too deep or has no real number');
  try {
    return decodeNotification(value);
  } catch (error) {
    if (!isA2AError(error)) throw error;
    throw new PushError('INVALID_BODY', error.message, error);
  }
}

function seqOf(headers: ReceivedHeaders): number | undefined {
  const text = headerOf(headers, SEQ_HEADER);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new PushError('INVALID_HEADER', `${SEQ_HEADER} must be a whole number`);
  return Number(text);
}

function taskIdOf(event: StreamEvent): string {
  if (event.kind === 'task') return event.task.id;
  return (event.kind === 'message' ? event.message.taskId : event.taskId) ?? '';
}
