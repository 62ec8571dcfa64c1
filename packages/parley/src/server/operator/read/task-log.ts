import type { Dialect } from '../../../dialects/dialect.ts';
import type { TaskEvent } from '../../../engine/log/events.ts';
import type { LogFacet, TaskHead } from '../../../engine/ports.ts';
import { isoTime } from '../../../model/basics/timestamps.ts';
import { taskNotFound } from '../../../model/errors/errors.ts';
import type { StreamEvent } from '../../../model/task.ts';
import { streamEventOf } from '../../operations/stream-events.ts';
import type { AgentTransform } from '../../operations/transforms.ts';
import type { A2AJson, LogEntry, LogPage } from '../console-api.ts';
import type { OperatorResource } from '../operator-routes.ts';
import { numberOf } from '../query-fields.ts';

const MOST_EVENTS = 1000;
const USUAL_EVENTS = 200;
/** The bytes of events that end a page; a larger single event is shown without its content. */
const PAGE_BYTES = 1024 * 1024;

interface TaskLogOptions {
  readonly store: Pick<LogFacet, 'head' | 'read'>;
  /** A2A 1.0. */
  readonly dialect: Pick<Dialect, 'encodeEvent'>;
  /** Changes what is shown of an agent's tasks; see `transform` of interceptors. */
  readonly transformOf: (agent: string) => AgentTransform | undefined;
}

/** Pages of a task's log, event by event. */
export function taskLog({ store, dialect, transformOf }: TaskLogOptions): OperatorResource {
  return {
    method: 'GET',
    async respond({ id, query }): Promise<LogPage> {
      const after = numberOf(query, 'after', 0, Number.MAX_SAFE_INTEGER) ?? 0;
      const limit = numberOf(query, 'limit', 1, MOST_EVENTS) ?? USUAL_EVENTS;
      const head = await store.head(id);
      if (!head) throw taskNotFound(id);
      const read = await store.read(id, after, { events: limit, bytes: PAGE_BYTES });
      const show = shower(head, dialect, transformOf(head.agent));
      const events = read.map(show);
      const first = read[0]?.seq ?? after + 1;
      const last = read.at(-1)?.seq ?? after;
      return {
        taskId: id,
        contextId: head.contextId,
        agent: head.agent,
        events,
        lastSeq: head.seq,
        trimmedTo: first > after + 1 ? first - 1 : undefined,
        next: last < head.seq && read.length > 0 ? last : undefined,
      };
    },
  };
}

function shower(head: TaskHead, { encodeEvent }: TaskLogOptions['dialect'], transform: AgentTransform | undefined) {
  const place = { taskId: head.id, contextId: head.contextId };
  /** Nobody could change a note, which readers are only shown with the status after it. */
  const shownNote = ({ metadata }: Extract<TaskEvent, { kind: 'noted' }>) => (transform ? undefined : { metadata });
  return (event: TaskEvent): LogEntry => {
    const { seq, time } = event;
    const isNote = event.kind === 'noted';
    const streamed = isNote ? undefined : asStreamed(event, head);
    const shown = streamed && transform ? transform(streamed, { ...place, seq }) : streamed;
    const wire = isNote ? shownNote(event) : shown && encodeEvent(shown);
    const bytes = wire === undefined ? 0 : new TextEncoder().encode(JSON.stringify(wire)).length;
    return {
      seq,
      time: isoTime(time),
      kind: isNote ? 'note' : event.kind,
      bytes,
      event: bytes > PAGE_BYTES ? undefined : (wire as A2AJson | undefined),
    };
  };
}

/** The event as a stream would show it; a stream shows the creation and messages of the caller as part of the task. */
function asStreamed(event: Exclude<TaskEvent, { kind: 'noted' }>, head: TaskHead): StreamEvent | undefined {
  const { id, contextId } = head;
  if (event.kind === 'message') return { kind: 'message', message: event.message };
  if (event.kind !== 'created') return streamEventOf(event, id, contextId);
  const status = { state: 'submitted', timestamp: isoTime(event.time) } as const;
  const task = { id, contextId, status, artifacts: [], history: [], metadata: event.metadata };
  return { kind: 'task', task };
}
