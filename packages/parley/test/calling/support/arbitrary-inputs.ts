import fc from 'fast-check';
import type { OperationInputs, PushConfig } from '../../../src/model/operations.ts';
import { TASK_STATES } from '../../../src/model/states.ts';
import { message } from '../../dialects/support/arbitraries.ts';

/** What a path can carry and no server takes for something else. */
const RESERVED =
  /^\.{1,2}$|:(cancel|subscribe)$|^(message:(send|stream)|tasks|extendedAgentCard|card|v1|agents|health|stream|\.well-known)$/;
const id = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => !RESERVED.test(text));
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const length = fc.integer({ min: 0, max: 1000 });
const json = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxKeys: 3 });
const metadata = maybe(json.map((value) => JSON.parse(JSON.stringify(value)) as typeof value));

const pushConfig = {
  url: id,
  id: maybe(id),
  token: maybe(id),
  authentication: maybe(fc.record({ scheme: id, credentials: maybe(id) })),
};

/** Any input of every operation, for one tenant or none. */
export function arbitraryInputs(tenant: fc.Arbitrary<string>): {
  readonly [Name in keyof OperationInputs]: fc.Arbitrary<OperationInputs[Name]>;
} {
  const send = fc.record({
    tenant,
    message,
    acceptedOutputModes: fc.array(id, { maxLength: 3 }),
    returnImmediately: fc.boolean(),
    historyLength: maybe(length),
    pushConfig: maybe(fc.record(pushConfig) as fc.Arbitrary<PushConfig>),
    metadata,
  });
  return {
    sendMessage: send,
    sendStreamingMessage: send,
    getTask: fc.record({ tenant, id, historyLength: maybe(length) }),
    listTasks: fc.record({
      tenant,
      contextId: maybe(id),
      state: maybe(fc.constantFrom(...TASK_STATES)),
      statusSince: maybe(fc.integer({ min: 0, max: Date.UTC(9999, 0) })),
      pageSize: fc.integer({ min: 1, max: 100 }),
      pageToken: maybe(id),
      historyLength: maybe(length),
      includeArtifacts: fc.boolean(),
    }),
    cancelTask: fc.record({ tenant, id, metadata }),
    subscribeToTask: fc.record({ tenant, id, metadata }),
    createPushConfig: fc.record({ tenant, config: fc.record({ ...pushConfig, taskId: id }) }),
    getPushConfig: fc.record({ tenant, taskId: id, id }),
    listPushConfigs: fc.record({
      tenant,
      taskId: id,
      pageSize: maybe(fc.integer({ min: 1, max: 1000 })),
      pageToken: maybe(id),
    }),
    deletePushConfig: fc.record({ tenant, taskId: id, id }),
    getExtendedCard: fc.record({ tenant }),
  };
}

export const tenants: fc.Arbitrary<string> = fc.oneof(fc.constant(''), id);
export const noTenant: fc.Arbitrary<string> = fc.constant('');
