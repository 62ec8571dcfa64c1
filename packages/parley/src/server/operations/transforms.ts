import { requireNow } from '../../model/basics/promises.ts';
import { endsTurn, type TaskState } from '../../model/states.ts';
import { isTask, type Message, type StreamEvent, type Task } from '../../model/task.ts';

/** The place of an event that is about to be sent. */
export interface TransformInfo {
  /** The agent's name in its address. */
  readonly agent: string;
  /** Undefined for a message that is the result without a task. */
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** The id of the frame in a stream; undefined in the results of all other operations. */
  readonly seq: number | undefined;
}

export type Transform = (event: StreamEvent, info: TransformInfo) => StreamEvent | undefined;

/** The same for one agent. */
export type AgentTransform = (event: StreamEvent, info: Omit<TransformInfo, 'agent'>) => StreamEvent | undefined;

/** One transform after the other; what the first leaves out the second is not shown. */
export function chained(first: Transform | undefined, second: Transform): Transform {
  const checked: Transform = (event, info) => checkedResult(event, second(event, info));
  if (!first) return checked;
  return (event, info) => {
    const changed = first(event, info);
    return changed && checked(changed, info);
  };
}

/** A task as the result of an operation. */
export function shownTask(task: Task, transform: AgentTransform | undefined): Task {
  if (!transform) return task;
  const sent = transform({ kind: 'task', task }, { taskId: task.id, contextId: task.contextId, seq: undefined });
  return sent?.kind === 'task' ? sent.task : task;
}

export function shownAnswer<Answer extends Task | Message>(
  answer: Answer,
  transform: AgentTransform | undefined,
): Answer;
export function shownAnswer(answer: Task | Message, transform: AgentTransform | undefined): Task | Message {
  if (!transform) return answer;
  if (isTask(answer)) return shownTask(answer, transform);
  const { taskId, contextId } = answer;
  const sent = transform({ kind: 'message', message: answer }, { taskId, contextId, seq: undefined });
  return sent?.kind === 'message' ? sent.message : answer;
}

/** Checks that everything stays that streams and clients rely on: kinds, ids and states, and a visible end of each turn. */
function checkedResult(event: StreamEvent, result: StreamEvent | undefined): StreamEvent | undefined {
  if (result === event) return result;
  const state = stateOf(event);
  if (result === undefined || result === null) {
    const isUpdate = event.kind === 'artifact' || event.kind === 'status';
    if (isUpdate && !(state && endsTurn(state))) return undefined;
    throw new TypeError(`A transform may not leave out ${isUpdate ? 'the end of a turn' : `a ${event.kind}`}`);
  }
  if (result.kind !== event.kind) {
    requireNow(result, 'A transform');
    throw new TypeError('A transform may not change the kind of an event');
  }
  if (stateOf(result) !== state) throw new TypeError('A transform may not change the state of a task');
  if (idOf(result) !== idOf(event)) throw new TypeError('A transform may not change ids');
  return result;
}

function stateOf(event: StreamEvent): TaskState | undefined {
  if (event.kind === 'task') return event.task.status.state;
  return event.kind === 'status' ? event.status.state : undefined;
}

function idOf(event: StreamEvent): string | undefined {
  switch (event.kind) {
    case 'task':
      return event.task.id;
    case 'message':
      return event.message.messageId;
    case 'status':
      return event.taskId;
    case 'artifact':
      return `${event.taskId} ${event.artifact.artifactId}`;
  }
}
