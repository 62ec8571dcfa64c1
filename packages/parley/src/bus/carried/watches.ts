import type { NoticeListener } from '../../engine/ports.ts';

/** The watches of one node, by task. */
export class Watches {
  readonly #listeners = new Map<string, Set<NoticeListener>>();

  add(taskId: string, listener: NoticeListener): void {
    const known = this.#listeners.get(taskId);
    if (known) known.add(listener);
    else this.#listeners.set(taskId, new Set([listener]));
  }

  /** Returns whether its task has none any more. */
  remove(taskId: string, listener: NoticeListener): boolean {
    const known = this.#listeners.get(taskId);
    if (!known?.delete(listener) || known.size > 0) return false;
    this.#listeners.delete(taskId);
    return true;
  }

  tell(taskId: string, seq: number | undefined): void {
    for (const listener of this.#listeners.get(taskId) ?? []) listener(seq);
  }

  tellAll(): void {
    for (const taskId of [...this.#listeners.keys()]) this.tell(taskId, undefined);
  }
}
