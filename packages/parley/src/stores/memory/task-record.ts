import type { TaskEvent } from '../../engine/events.ts';
import type { ArtifactBody, LoadDetail, ReadLimit, StoredTask, TaskCommit, TaskHead } from '../../engine/ports.ts';
import { sizeOfEvent } from '../event-size.ts';
import type { Place } from './sorted-list.ts';

/** One task: its head, its whole log, and the messages and statuses once more, so that a history skips the chunks. */
export class TaskRecord implements Place {
  readonly id: string;
  head: TaskHead;
  readonly #events: TaskEvent[] = [];
  readonly #talk: TaskEvent[] = [];
  readonly #bodies: Map<string, ArtifactBody> = new Map();

  constructor(head: TaskHead) {
    this.id = head.id;
    this.head = head;
  }

  get statusTime(): number {
    return this.head.statusTime;
  }

  append({ head, events, bodies }: TaskCommit): void {
    this.head = head;
    for (const event of events) {
      this.#events.push(event);
      if (event.kind === 'message' || event.kind === 'status') this.#talk.push(event);
    }
    for (const body of bodies) this.#bodies.set(body.artifact.artifactId, body);
  }

  load(detail: LoadDetail): StoredTask {
    const bodies = detail.artifacts ? [...this.#bodies.values()] : [];
    bodies.sort((left, right) => left.position - right.position);
    return { head: this.head, bodies, events: this.#uncovered(detail) };
  }

  read(after: number, limit: ReadLimit): TaskEvent[] {
    const found: TaskEvent[] = [];
    let bytes = 0;
    for (let index = after; index < this.#events.length; index += 1) {
      const event = this.#events[index];
      if (event === undefined) break;
      found.push(event);
      bytes += sizeOfEvent(event);
      if (found.length >= limit.events || bytes >= limit.bytes) break;
    }
    return found;
  }

  #uncovered({ history, artifacts }: LoadDetail): TaskEvent[] {
    const { openFrom } = this.head;
    if (!artifacts || openFrom === 0) return history ? this.#talk.slice() : [];
    const tail = this.#events.slice(openFrom - 1);
    if (!history) return tail.filter((event) => event.kind === 'artifact');
    const before = this.#talk.filter((event) => event.seq < openFrom);
    return [...before, ...tail.filter((event) => event.kind !== 'created')];
  }
}
