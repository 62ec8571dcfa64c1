import { A2AError } from '../../../model/errors/errors.ts';
import type { FailureReason } from '../../../model/errors/failure-reason.ts';
import { textOf } from '../../../model/parts.ts';
import { isTask, type Message, type StreamEvent, type Task, type TaskStatus } from '../../../model/task.ts';
import type { WireValue } from '../../dialect.ts';
import { encodeEvent } from '../task/events.ts';

/** The reasons of tasks whose agent threw or gave what it may not. */
const REASONS: ReadonlySet<unknown> = new Set<FailureReason>(['agent-error', 'invalid-agent-response']);

/** The text that callers may read of an agent that broke: never the inner one. Undefined where it did not. */
export function brokenText({ state, message }: TaskStatus): string | undefined {
  return state === 'failed' && message && REASONS.has(message.metadata?.reason) ? textOf(message) : undefined;
}

/** The document's server answers a send with HTTP 500 where its agent throws (seed S0.12). */
export function brokenError(result: Task | Message): A2AError | undefined {
  const text = isTask(result) ? brokenText(result.status) : undefined;
  if (text === undefined || !isTask(result)) return undefined;
  return new A2AError('INVALID_AGENT_RESPONSE', text, { metadata: { taskId: result.id } });
}

const SERVER_ERROR = 500;

/** Its streams end with that error instead of the last status. */
export function encodeBareEvent(event: StreamEvent): WireValue {
  const text = event.kind === 'status' ? brokenText(event.status) : undefined;
  if (text === undefined || event.kind !== 'status') return encodeEvent(event);
  return { error: { code: SERVER_ERROR, message: text, data: { taskId: event.taskId } } };
}
