import type { ApiKeyRecord } from '../../engine/ports.ts';

/** API keys by id. */
export class ApiKeys {
  readonly #records: Map<string, ApiKeyRecord> = new Map();

  get(id: string): ApiKeyRecord | undefined {
    return this.#records.get(id);
  }

  list(): readonly ApiKeyRecord[] {
    return [...this.#records.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  add(record: ApiKeyRecord): boolean {
    if (this.#records.has(record.id)) return false;
    this.#records.set(record.id, record);
    return true;
  }

  remove(id: string): boolean {
    return this.#records.delete(id);
  }
}
