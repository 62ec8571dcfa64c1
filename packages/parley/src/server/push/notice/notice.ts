import type { ArtifactEvent, StatusEvent, TaskEvent } from '../../../engine/log/events.ts';
import type { Awaitable } from '../../../engine/ports.ts';
import type { PushEvents } from '../../../model/extensions/push.ts';
import type { NoticeForm } from './notice-form.ts';

/** An event that webhooks can be told of. */
export type ToldEvent = StatusEvent | ArtifactEvent;

/** Writes the body of a request; undefined where there is nothing to say. */
export type WriteNotice = (notice: Notice, form: NoticeForm) => Promise<string | undefined>;

/**
 * Something that the webhooks of a task are told: an event of its log, or the task as it was there. Its body is written
 * when the first webhook needs it, once for each form.
 */
export class Notice {
  readonly seq: number;
  /** Undefined for the task itself. */
  readonly event: ToldEvent | undefined;
  readonly #write: WriteNotice;
  readonly #texts = new Map<string, Awaitable<string | undefined>>();
  #size = 0;

  constructor(seq: number, event: ToldEvent | undefined, write: WriteNotice) {
    this.seq = seq;
    this.event = event;
    this.#write = write;
  }

  get kind(): 'event' | 'snapshot' {
    return this.event ? 'event' : 'snapshot';
  }

  /** The characters of all bodies so far. */
  get size(): number {
    return this.#size;
  }

  isFor(events: PushEvents): boolean {
    return this.event === undefined || isTold(this.event, events);
  }

  text(form: NoticeForm): Awaitable<string | undefined> {
    const known = this.#texts.get(form.key);
    if (known !== undefined || this.#texts.has(form.key)) return known;
    const writing = this.#write(this, form).then(
      (text) => {
        this.#texts.set(form.key, text);
        this.#size += text?.length ?? 0;
        return text;
      },
      (error: unknown) => {
        this.#texts.delete(form.key);
        throw error;
      },
    );
    this.#texts.set(form.key, writing);
    return writing;
  }
}

/** Tells which events of a log a webhook is told of. */
export function isTold(event: TaskEvent, events: PushEvents): event is ToldEvent {
  if (event.kind === 'status') return true;
  return event.kind === 'artifact' && (events === 'all' || event.lastChunk);
}
