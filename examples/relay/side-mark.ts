import type { JsonObject, JsonValue, Message, MessageContent, Task } from 'parley-a2a';
import type { Side } from './epoch.ts';

/** Under this name the first thing that the relay says in a task tells which place the task has. */
const RELAY = 'urn:parley:relay';

/** More talks than anybody has in one context; a mark that says otherwise is none. */
const MOST_EPOCHS = 1_000_000;

/** A status message that gives its task a place. It is in the task's log, and so outlives the process. */
export function markedStatus(side: Side, epoch: number, text: string): MessageContent {
  return { parts: [{ kind: 'text', text }], metadata: { [RELAY]: { side, epoch } } };
}

/** The place that a task was given; undefined for those that were turned away. */
export function seatOf({ history, status }: Task): { readonly side: Side; readonly epoch: number } | undefined {
  // Only the first one counts: those after it may be what the other side says.
  const first = [...history, ...(status.message ? [status.message] : [])].find(({ role }) => role === 'agent');
  const mark = first?.metadata?.[RELAY];
  if (!isObject(mark)) return undefined;
  const { side, epoch = 1 } = mark;
  if (side !== 'a' && side !== 'b') return undefined;
  const isNumber = typeof epoch === 'number' && Number.isInteger(epoch) && epoch >= 1 && epoch <= MOST_EPOCHS;
  return isNumber ? { side, epoch } : undefined;
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
