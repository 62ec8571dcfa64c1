import { A2AError } from '../../model/errors/errors.ts';
import type { TaskEvent } from '../log/events.ts';
import { textSizeOfEvent } from '../log/sizes.ts';
import type { JournalEntry, LogFacet } from '../ports.ts';

/** Events that are read at a time. */
const READ_LIMIT = { events: 2048, bytes: 1024 * 1024 };
/** The most that a log may have to be copied: its copy is made in memory and written by one commit. */
const MOST_EVENTS = 200_000;
const MEGABYTE = 1024 * 1024;
const MOST_MEGABYTES = 64;

type Log = Pick<LogFacet, 'read'>;

/** Reads the log of a task up to a seq. Throws where its beginning is gone, or there is too much of it. */
export async function readWholeLog(
  store: Log,
  taskId: string,
  upTo = Number.POSITIVE_INFINITY,
): Promise<readonly TaskEvent[]> {
  const events: TaskEvent[] = [];
  await visitLog(store, taskId, upTo, (event) => events.push(event));
  return events;
}

/** Measures what a copy of a task would hold, in bytes of JSON, without holding it. Throws where it cannot be copied. */
export async function measureLog(store: Log, taskId: string): Promise<number> {
  return visitLog(store, taskId, Number.POSITIVE_INFINITY, () => {});
}

/** Throws where what the runs of a task recorded is more than a copy may have. */
export function requireSmallJournal(taskId: string, entries: readonly JournalEntry[]): void {
  let size = 0;
  for (const { body } of entries) size += JSON.stringify(body).length;
  if (size > MOST_MEGABYTES * MEGABYTE) throw notCopied(taskId, `its runs recorded more than ${MOST_MEGABYTES} MB`);
}

async function visitLog(store: Log, taskId: string, upTo: number, visit: (event: TaskEvent) => void): Promise<number> {
  let count = 0;
  let size = 0;
  for (let position = 0; position < upTo; ) {
    const read = await store.read(taskId, position, READ_LIMIT);
    if (position === 0 && read[0]?.seq !== 1) {
      throw notCopied(taskId, 'its log has no longer its first events: retention has removed them');
    }
    for (const event of read) {
      if (event.seq > upTo) return size;
      count += 1;
      size += textSizeOfEvent(event);
      if (count > MOST_EVENTS) throw notCopied(taskId, `its log has more than ${MOST_EVENTS} events`);
      if (size > MOST_MEGABYTES * MEGABYTE) throw notCopied(taskId, `its log has more than ${MOST_MEGABYTES} MB`);
      visit(event);
    }
    const last = read.at(-1);
    if (!last) break;
    position = last.seq;
  }
  return size;
}

function notCopied(taskId: string, why: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', `The task cannot be copied: ${why}`, { metadata: { taskId } });
}
