import type { DialectRegistry } from '../../dialects/registry.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Owner, PushConfigDraft, PushConfigRecord, Store, TaskHead } from '../../engine/ports.ts';
import { FIRST_MESSAGE_SEQ } from '../../engine/task/actor.ts';
import type { Scope } from '../../engine/task/scope.ts';
import type { Call } from '../../model/call.ts';
import { A2AError, invalidParams, quoted } from '../../model/errors/errors.ts';
import type {
  ListPushConfigsInput,
  PushConfig,
  PushConfigInput,
  PushConfigPage,
  PushConfigRef,
  SendInput,
} from '../../model/operations.ts';
import type { ConfigWriter } from './config/config-writer.ts';
import { decodePlace, encodePlace } from './config/page-place.ts';
import { readBody, shownConfig } from './config/webhook-config.ts';
import type { Deliveries } from './deliveries.ts';
import { isLive, stateOf } from './delivery/delivery-state.ts';
import { Turns } from './turns.ts';

export interface PushOperationsOptions {
  readonly engine: Pick<Engine, 'head'>;
  readonly store: Store;
  readonly writer: ConfigWriter;
  readonly deliveries: Deliveries;
  readonly dialects: Pick<DialectRegistry, 'ofStoredName'>;
  /** Configs that one task may have. */
  readonly mostConfigs: number;
  /** Tasks whose webhooks are at work. */
  readonly mostTasks: number;
}

/** The operations on webhooks, for callers who may see the task. Each caller sees only configs of its own. */
export class PushOperations {
  readonly #options: PushOperationsOptions;
  /** Creations for one task follow each other, so that none counts too few configs. */
  readonly #turns = new Turns();

  constructor(options: PushOperationsOptions) {
    this.#options = options;
  }

  async create(scope: Scope, { config }: PushConfigInput, call: Call): Promise<PushConfig> {
    const { store, writer, deliveries } = this.#options;
    const { taskId } = config;
    const head = await this.#options.engine.head(scope, taskId);
    this.#requireCapacity(taskId);
    const draft = await writer.fromRequest(config, scope.owner, call, head.seq);
    return this.#turns.run(taskId, async () => {
      const earlier = await this.#requireRoom(taskId, draft, writer.fieldPrefix(call, 'request'));
      const since = await this.#sinceOf(earlier, head, draft);
      const record: PushConfigRecord = { ...draft, taskId, since };
      if (earlier) await this.#replace(earlier);
      if (!(await store.putPushConfig(record))) throw notFound(taskId);
      await deliveries.changed(taskId);
      return shownConfig(record);
    });
  }

  /** Prepares the config of a send; it is stored with the message. */
  async prepare(scope: Scope, config: PushConfig, input: SendInput, call: Call): Promise<PushConfigDraft> {
    const { writer, engine } = this.#options;
    const { taskId } = input.message;
    this.#requireCapacity(taskId);
    if (!taskId) return writer.fromSend(config, scope.owner, call, input, FIRST_MESSAGE_SEQ);
    const head = await engine.head(scope, taskId);
    const draft = await writer.fromSend(config, scope.owner, call, input, head.seq);
    return this.#turns.run(taskId, async () => {
      const earlier = await this.#requireRoom(taskId, draft, writer.fieldPrefix(call, 'send'));
      const since = await this.#sinceOf(earlier, head, draft);
      return since === head.seq ? draft : { ...draft, since };
    });
  }

  async get(scope: Scope, { taskId, id }: PushConfigRef, call: Call): Promise<PushConfig> {
    const { store, engine, dialects } = this.#options;
    await engine.head(scope, taskId);
    const record = await store.pushConfig(taskId, id, scope.owner);
    if (record) return shownConfig(record);
    const { requiresId } = dialects.ofStoredName(call.dialect).webhooks;
    const isLacking = !requiresId && (id === '' || id === taskId);
    const first = isLacking ? await this.#firstOf(taskId, scope.owner) : undefined;
    if (first) return shownConfig(first);
    throw notFound(taskId, id);
  }

  async list(scope: Scope, { taskId, pageSize, pageToken }: ListPushConfigsInput): Promise<PushConfigPage> {
    const { store, engine, mostConfigs } = this.#options;
    await engine.head(scope, taskId);
    const after = pageToken ? { taskId, id: decodePlace(pageToken, taskId) } : undefined;
    const limit = Math.min(pageSize ?? mostConfigs, mostConfigs);
    const records = await store.listPushConfigs({ taskId, owner: scope.owner, after, limit: limit + 1 });
    const page = records.slice(0, limit);
    const last = page.at(-1);
    const nextPageToken = records.length > limit && last ? encodePlace(taskId, last.id) : '';
    return { configs: page.map(shownConfig), nextPageToken };
  }

  async delete(scope: Scope, { taskId, id }: PushConfigRef): Promise<void> {
    const { store, engine, deliveries } = this.#options;
    await engine.head(scope, taskId);
    await this.#turns.run(taskId, async () => {
      if (!(await store.deletePushConfig(taskId, id, scope.owner))) return;
      await deliveries.changed(taskId);
      await store.deleteCursor(taskId, id);
    });
  }

  /** Webhooks that fail stay in memory until they are told or given up: there may be so many and no more. */
  #requireCapacity(taskId: string | undefined): void {
    const { deliveries, mostTasks } = this.#options;
    if (deliveries.awake < mostTasks || deliveries.isAwake(taskId)) return;
    const text = `Webhooks of ${mostTasks} tasks wait to be told; no further one can be registered for the moment`;
    throw new A2AError('UNAVAILABLE', text, { metadata: { limit: 'pushTasks' } });
  }

  /** Resolves with the config that this one replaces. */
  async #requireRoom(
    taskId: string,
    { id, owner }: Pick<PushConfigDraft, 'id' | 'owner'>,
    prefix: string,
  ): Promise<PushConfigRecord | undefined> {
    const { store, mostConfigs } = this.#options;
    const earlier = await store.pushConfig(taskId, id);
    if (earlier) {
      if (isOf(earlier, owner)) return earlier;
      throw invalidParams({ field: `${prefix}id`, description: 'is taken; leave it out, or choose another one' });
    }
    const known = await store.listPushConfigs({ taskId, limit: mostConfigs });
    if (known.length < mostConfigs) return undefined;
    const text = `A task may have ${mostConfigs} push notification configs; delete one, or replace one by its id`;
    throw new A2AError('OVERLOADED', text, { metadata: { limit: 'pushConfigs', taskId } });
  }

  /** One that replaces a config goes on where that has come to, unless it was at its end: nothing is left out. */
  async #sinceOf(
    earlier: PushConfigRecord | undefined,
    { seq }: TaskHead,
    { id, body }: PushConfigDraft,
  ): Promise<number> {
    const { snapshotAt } = readBody({ body });
    if (snapshotAt !== undefined) return snapshotAt - 1;
    if (!earlier) return seq;
    const { taskId } = earlier;
    const { store, deliveries } = this.#options;
    const state = deliveries.webhook(taskId, id)?.state ?? stateOf(earlier, await store.cursor(taskId, id));
    return isLive(state) ? Math.min(state.position, seq) : seq;
  }

  async #replace({ taskId, id }: PushConfigRecord): Promise<void> {
    await this.#options.deliveries.stop(taskId, id);
    await this.#options.store.deleteCursor(taskId, id);
  }

  async #firstOf(taskId: string, owner: Owner): Promise<PushConfigRecord | undefined> {
    const { store, mostConfigs } = this.#options;
    const records = await store.listPushConfigs({ taskId, owner, limit: mostConfigs });
    return records.toSorted((one, other) => one.createdAt - other.createdAt)[0];
  }
}

function isOf({ owner }: PushConfigRecord, { tenant, subject }: Owner): boolean {
  return owner.tenant === tenant && owner.subject === subject;
}

function notFound(taskId: string, id?: string): A2AError {
  const what = id === undefined ? 'Task not found' : `The task has no push notification config "${quoted(id)}"`;
  return new A2AError('TASK_NOT_FOUND', what, { metadata: { taskId } });
}
