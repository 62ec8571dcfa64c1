import { withoutGap } from '../../model/extensions/resume.ts';
import type { StreamEvent, Task } from '../../model/task.ts';
import type { TaskCollector } from './collect.ts';
import type { StreamSource } from './stream-source.ts';

/** The event with what its stream leaves out: the context of updates, and all but the head of a task. */
export function completeEvent(event: StreamEvent, source: StreamSource, collector: TaskCollector): StreamEvent {
  const { contextId } = collector;
  if (event.kind === 'status' || event.kind === 'artifact') {
    return event.contextId === '' && contextId ? { ...event, contextId } : event;
  }
  if (event.kind !== 'task' || !isHead(event.task, source)) return event;
  const { id: taskId, contextId: context } = event.task;
  const known = collector.task;
  const { artifacts, history } = known?.id === taskId ? known : { artifacts: [], history: [] };
  const { message } = source;
  const sent = message ? [{ ...message, contextId: context, taskId }] : [];
  return { kind: 'task', task: { ...event.task, artifacts, history: [...history, ...sent] } };
}

/** Tells whether a task of the stream leaves out what was before: it shows the head alone, and of a task that is not new. */
export function isPartialTask(task: Task, source: StreamSource): boolean {
  return isHead(task, source) && !isNew(task, source);
}

/** The task before its first update (reference: mapping §6: 0.3 streams may begin with one). */
export function taskBefore(
  { taskId, contextId }: { readonly taskId: string; readonly contextId: string },
  { message }: StreamSource,
  now: number,
): Task {
  const timestamp = new Date(now).toISOString();
  const history = message ? [{ ...message, taskId, contextId: contextId || message.contextId }] : [];
  return { id: taskId, contextId, status: { state: 'submitted', timestamp }, artifacts: [], history };
}

/** The event without what its server says about a gap. */
export function withoutNote(event: StreamEvent): StreamEvent {
  if (event.kind === 'task') return { ...event, task: withoutGap(event.task) };
  return event.kind === 'message' ? event : withoutGap(event);
}

/** Every task has a message in its history: one without any is shown by its head alone. */
function isHead({ history }: Task, { beginsWithHead }: StreamSource): boolean {
  return beginsWithHead === true && history.length === 0;
}

/** Tells whether the message begins this task, whose history is then known. A send under a key may join one that goes on. */
function isNew({ status }: Task, { message, resumes }: StreamSource): boolean {
  const begins = message !== undefined && message.taskId === undefined;
  return begins && (!resumes || status.state === 'submitted');
}
