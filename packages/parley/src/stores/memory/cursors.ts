import type { CursorRecord } from '../../engine/ports.ts';

/** Positions of followers by task and name. */
export class Cursors {
  readonly #tasks: Map<string, Map<string, CursorRecord>> = new Map();

  get(taskId: string, follower: string): CursorRecord | undefined {
    return this.#tasks.get(taskId)?.get(follower);
  }

  set(record: CursorRecord, expectedLease: number): boolean {
    const held = this.get(record.taskId, record.follower);
    if ((held?.lease.number ?? 0) !== expectedLease) return false;
    let cursors = this.#tasks.get(record.taskId);
    if (!cursors) {
      cursors = new Map();
      this.#tasks.set(record.taskId, cursors);
    }
    cursors.set(record.follower, record);
    return true;
  }

  delete(taskId: string, follower: string): void {
    const cursors = this.#tasks.get(taskId);
    cursors?.delete(follower);
    if (cursors?.size === 0) this.#tasks.delete(taskId);
  }

  removeTask(taskId: string): void {
    this.#tasks.delete(taskId);
  }
}
