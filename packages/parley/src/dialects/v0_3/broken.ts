import { A2AError } from '../../model/errors.ts';
import { textOf } from '../../model/parts.ts';
import type { Message, StreamEvent, Task, TaskStatus } from '../../model/task.ts';
import type { WireValue } from '../dialect.ts';
import { encodeEvent } from './events.ts';

/** Why a task fails whose agent threw or gave what it may not; see engine/task/failure-reasons.ts. */
const REASONS: ReadonlySet<unknown> = new Set(['agent-error', 'invalid-agent-response']);

/** What callers may read of an agent that broke: never the inner text. Undefined where it did not. */
export function brokenText({ state, message }: TaskStatus): string | undefined {
  return state === 'failed' && message && REASONS.has(message.metadata?.reason) ? textOf(message) : undefined;
}

/** The document's server answers a send with HTTP 500 where its agent throws (seed S0.12). */
export function requireUnbroken(result: Task | Message): void {
  const text = 'status' in result ? brokenText(result.status) : undefined;
  if (text === undefined || !('status' in result)) return;
  throw new A2AError('INVALID_AGENT_RESPONSE', text, { metadata: { taskId: result.id } });
}

const SERVER_ERROR = 500;

/** Its streams end with that error in the place of the last status. */
export function encodeBareEvent(event: StreamEvent): WireValue {
  const text = event.kind === 'status' ? brokenText(event.status) : undefined;
  if (text === undefined || event.kind !== 'status') return encodeEvent(event);
  return { error: { code: SERVER_ERROR, message: text, data: { taskId: event.taskId } } };
}
