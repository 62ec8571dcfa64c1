import type { PushConfigPlace, PushConfigRecord, Store } from '../../engine/ports.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { isoTime } from '../../model/basics/timestamps.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import { readBody } from './config/webhook-config.ts';
import type { Deliveries } from './deliveries.ts';
import { isLive, stateOf } from './delivery/delivery-state.ts';

export interface OperatorViewOptions {
  readonly store: Store;
  readonly deliveries: Deliveries;
}

/** The webhooks that an operator looks at. */
export interface WebhookQuery {
  /** Undefined: of all tasks. */
  readonly taskId?: string | undefined;
  /** Undefined: of all tenants, and of callers who belong to none. */
  readonly tenant?: string | undefined;
}

/** A page of webhooks, and the place after which the next one begins. */
export interface WebhookPage {
  readonly webhooks: readonly JsonObject[];
  readonly next?: PushConfigPlace | undefined;
}

/** The webhooks of all callers, for those who run the server: how they stand, and another try. No secret is shown. */
export class OperatorView {
  readonly #options: OperatorViewOptions;

  constructor(options: OperatorViewOptions) {
    this.#options = options;
  }

  async list(query: WebhookQuery, after: PushConfigPlace | undefined, limit: number): Promise<WebhookPage> {
    const records = await this.#options.store.listPushConfigs({ ...query, after, limit: limit + 1 });
    const page = records.slice(0, limit);
    const webhooks: JsonObject[] = [];
    for (const record of page) webhooks.push(await this.#show(record));
    const last = page.at(-1);
    return records.length > limit && last ? { webhooks, next: { taskId: last.taskId, id: last.id } } : { webhooks };
  }

  async show(taskId: string, id: string, tenant: string | undefined): Promise<JsonObject> {
    return this.#show(await this.#record(taskId, id, tenant));
  }

  /**
   * Tells a webhook again, without waiting for its next try: what it has not been told; where that is nothing, everything
   * since it was registered; with `from`, what comes after that place. Resolves with the place.
   */
  async redeliver(
    taskId: string,
    id: string,
    { from, tenant }: { readonly from?: number | undefined; readonly tenant?: string | undefined },
  ): Promise<number> {
    const { since } = await this.#record(taskId, id, tenant);
    const place = await this.#options.deliveries.restart(taskId, id, { from, since });
    if (place !== undefined) return place;
    throw new A2AError('UNAVAILABLE', 'Another node of the server tells this webhook; ask that one');
  }

  async #record(taskId: string, id: string, tenant: string | undefined): Promise<PushConfigRecord> {
    const record = await this.#options.store.pushConfig(taskId, id);
    if (record && (tenant === undefined || record.owner.tenant === tenant)) return record;
    throw new A2AError('NOT_FOUND', `The task "${quoted(taskId)}" has no webhook "${quoted(id)}"`);
  }

  async #show(record: PushConfigRecord): Promise<JsonObject> {
    const { store, deliveries } = this.#options;
    const { taskId, id, owner, since, createdAt, dialect } = record;
    const { url, events } = readBody(record);
    const state = deliveries.webhook(taskId, id)?.state ?? stateOf(record, await store.cursor(taskId, id));
    const { position, standing, failures, failingSince, lastTry, lastError, nextTry } = state;
    const head = await store.head(taskId);
    return {
      taskId,
      id,
      owner: { ...owner },
      url,
      events,
      dialect,
      createdAt: isoTime(createdAt),
      since,
      position,
      taskSeq: head?.seq ?? null,
      standing,
      isPending: isLive(state) && position < (head?.seq ?? 0),
      failures,
      failingSince: timeOf(failingSince),
      lastTry: timeOf(lastTry),
      lastError: lastError ?? null,
      nextTry: timeOf(nextTry),
    };
  }
}

function timeOf(time: number | undefined): string | null {
  return time === undefined ? null : isoTime(time);
}
