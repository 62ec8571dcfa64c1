import type { LogBatch, LogRecord, TaskEvent } from '../log/events.ts';
import { sizeOfEvent } from '../log/sizes.ts';
import type { ReadLimit } from '../ports.ts';

/** The part of a log that is read at once: what a turn of the event loop can read, write and send. */
export const READ_LIMIT: ReadLimit = { events: 512, bytes: 256 * 1024 };

/** Returns true if these come right after a seq: a store may drop the beginning of a log. */
export function isNextAfter(records: readonly Pick<LogRecord, 'event'>[], after: number): boolean {
  return records[0]?.event.seq === after + 1;
}

export function recordsOf(events: readonly TaskEvent[]): LogBatch {
  return { records: events.map((event) => ({ event, size: sizeOfEvent(event) })) };
}
