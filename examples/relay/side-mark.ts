import type { JsonObject, Message, MessageContent, Task } from 'parley-a2a';
import type { Side } from './pair.ts';

/** Under this name the first thing that the relay says in a task tells which side the task has. */
const RELAY = 'urn:parley:relay';

/** A status message that gives its task a side. It is in the task's log, and so outlives the process. */
export function markedStatus(side: Side, text: string): MessageContent {
  return { parts: [{ kind: 'text', text }], metadata: { [RELAY]: { side } } };
}

/** The side that a task was given; undefined for those that were turned away. */
export function sideOf({ history, status }: Task): Side | undefined {
  // Only the first one counts: those after it may be what the other side says.
  const first = [...history, ...(status.message ? [status.message] : [])].find(({ role }) => role === 'agent');
  const mark = first?.metadata?.[RELAY];
  const side = typeof mark === 'object' && mark !== null && 'side' in mark ? mark.side : undefined;
  return side === 'a' || side === 'b' ? side : undefined;
}

/** What one side said, for the other: its parts as they are, and what belongs to them. */
export function mirrored({ parts, metadata, extensions }: Message): MessageContent {
  return { parts, metadata: metadata && withoutMark(metadata), extensions };
}

function withoutMark(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== RELAY));
}
