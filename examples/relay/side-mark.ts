import type { JsonObject, JsonValue, Message, MessageContent, Task, TaskContext } from 'parley-a2a';
import type { Side } from './epoch.ts';

/** Under this name the first thing that the relay says in a task tells which place the task has. */
const RELAY = 'urn:parley:relay';

/** More talks than anybody has in one context; a mark that says otherwise is none. */
const MOST_EPOCHS = 1_000_000;

/** A status message that gives its task a place. It is in the task's log, and so outlives the process. */
export function markedStatus(side: Side, epoch: number, text: string, owner = ''): MessageContent {
  const mark = { side, epoch, ...(owner !== '' && { owner }) };
  return { parts: [{ kind: 'text', text }], metadata: { [RELAY]: mark } };
}

/** A task, or the run of one, in which a mark is found. */
type Marked = Pick<Task, 'history'> & { readonly status: Task['status'] | TaskContext['status'] };

/** The owner of the context that a task with a place is in; undefined where callers are not told apart. */
export function ownerIn(task: Marked): string | undefined {
  const owner = markOf(task)?.owner;
  return typeof owner === 'string' && owner !== '' ? owner : undefined;
}

/** The place that a task was given; undefined for those that were turned away. */
export function seatOf(task: Task): { readonly side: Side; readonly epoch: number } | undefined {
  const { side, epoch = 1 } = markOf(task) ?? {};
  if (side !== 'a' && side !== 'b') return undefined;
  const isNumber = typeof epoch === 'number' && Number.isInteger(epoch) && epoch >= 1 && epoch <= MOST_EPOCHS;
  return isNumber ? { side, epoch } : undefined;
}

function markOf({ history, status }: Marked): JsonObject | undefined {
  const message = typeof status === 'object' ? status.message : undefined;
  // Only the first one counts: those after it may be what the other side says.
  const first = [...history, ...(message ? [message] : [])].find(({ role }) => role === 'agent');
  const mark = first?.metadata?.[RELAY];
  return isObject(mark) ? mark : undefined;
}

/** What one side said, for the other: its parts as they are, and what belongs to them. */
export function mirrored({ parts, metadata, extensions }: Message): MessageContent {
  return { parts, metadata: metadata && withoutMark(metadata), extensions };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutMark(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== RELAY));
}
