import type { Owner, PushConfigPlace, PushConfigQuery, PushConfigRecord } from '../../engine/ports.ts';

/** Push configs by task and id. */
export class PushConfigs {
  readonly #tasks: Map<string, Map<string, PushConfigRecord>> = new Map();

  put(record: PushConfigRecord): void {
    let configs = this.#tasks.get(record.taskId);
    if (!configs) {
      configs = new Map();
      this.#tasks.set(record.taskId, configs);
    }
    configs.set(record.id, record);
  }

  get(taskId: string, id: string, owner: Owner | undefined): PushConfigRecord | undefined {
    const record = this.#tasks.get(taskId)?.get(id);
    return record && isOf(record, owner) ? record : undefined;
  }

  list({ taskId, owner, tenant, after, limit }: PushConfigQuery): readonly PushConfigRecord[] {
    const configs = taskId === undefined ? [...this.#tasks.values()] : [this.#tasks.get(taskId) ?? new Map()];
    return configs
      .flatMap((records) => [...records.values()])
      .filter((record) => isOf(record, owner) && (!after || compare(record, after) > 0))
      .filter((record) => owner !== undefined || tenant === undefined || record.owner.tenant === tenant)
      .sort(compare)
      .slice(0, limit);
  }

  delete(taskId: string, id: string, owner: Owner | undefined): boolean {
    const configs = this.#tasks.get(taskId);
    if (!configs || !this.get(taskId, id, owner)) return false;
    configs.delete(id);
    if (configs.size === 0) this.#tasks.delete(taskId);
    return true;
  }

  has(taskId: string): boolean {
    return this.#tasks.has(taskId);
  }

  removeTask(taskId: string): void {
    this.#tasks.delete(taskId);
  }
}

function isOf(record: PushConfigRecord, owner: Owner | undefined): boolean {
  return !owner || (record.owner.tenant === owner.tenant && record.owner.subject === owner.subject);
}

function compare(left: PushConfigPlace, right: PushConfigPlace): number {
  return compareText(left.taskId, right.taskId) || compareText(left.id, right.id);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
