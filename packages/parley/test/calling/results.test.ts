import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallingDialect } from '../../src/dialects/calling/calling.ts';
import { CALLING_DIALECTS } from '../../src/dialects/calling/calling-dialects.ts';
import { FileHabits } from '../../src/dialects/file-encoding.ts';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../src/dialects/v0_3/index.ts';
import { v1_0 } from '../../src/dialects/v1_0/index.ts';
import type { OperationInputs, OperationResults, PushConfig, UnaryOperationName } from '../../src/model/operations.ts';
import { card, event, message, task } from '../dialects/support/arbitraries.ts';
import { lossy } from '../dialects/support/losses-v03.ts';
import { CALL, callerOf, WAYS } from './support/callers.ts';
import { stubServer } from './support/stub-server.ts';

/** The reader of 0.3 over HTTP+JSON for a server that says how it writes files. */
const exactly = (() => {
  const habits = new FileHabits();
  habits.notice('twice');
  return CALLING_DIALECTS[1]?.rest.withFiles?.(habits);
})();

const ID = fc.string({ minLength: 1, maxLength: 8 }).filter((id) => !id.includes('/'));
const config: fc.Arbitrary<PushConfig> = fc.record({
  url: ID,
  id: fc.option(ID, { nil: undefined }),
  taskId: ID,
  token: fc.option(ID, { nil: undefined }),
  authentication: fc.option(fc.record({ scheme: ID, credentials: fc.option(ID, { nil: undefined }) }), {
    nil: undefined,
  }),
});

const INPUTS: { readonly [Name in UnaryOperationName]: OperationInputs[Name] } = {
  sendMessage: {
    tenant: '',
    message: { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    acceptedOutputModes: [],
    returnImmediately: false,
  },
  getTask: { tenant: '', id: 't' },
  listTasks: { tenant: '', pageSize: 50, includeArtifacts: true },
  cancelTask: { tenant: '', id: 't' },
  createPushConfig: { tenant: '', config: { url: 'https://h.test', taskId: 't' } },
  getPushConfig: { tenant: '', taskId: 't', id: 'c' },
  listPushConfigs: { tenant: '', taskId: 't' },
  deletePushConfig: { tenant: '', taskId: 't', id: 'c' },
  getExtendedCard: { tenant: '' },
};

type Results = { readonly [Name in UnaryOperationName]: fc.Arbitrary<OperationResults[Name]> };

const NEWER: Results = {
  sendMessage: fc.oneof(task, message),
  getTask: task,
  listTasks: fc.record({
    tasks: fc.array(task, { maxLength: 2 }),
    nextPageToken: fc.oneof(fc.constant(''), ID),
    pageSize: fc.integer({ min: 1, max: 100 }),
    totalSize: fc.nat(),
    includeArtifacts: fc.constant(true),
  }),
  cancelTask: task,
  createPushConfig: config,
  getPushConfig: config,
  listPushConfigs: fc.record({
    configs: fc.array(config, { maxLength: 2 }),
    nextPageToken: fc.oneof(fc.constant(''), ID),
  }),
  deletePushConfig: fc.constant(undefined),
  getExtendedCard: card.map((value) => ({ ...value, interfaces: distinct(value.interfaces) })),
};

const OLDER: Partial<Results> = {
  sendMessage: fc.oneof(task.map(lossy.task), message.map(lossy.message)),
  getTask: task.map(lossy.task),
  cancelTask: task.map(lossy.task),
  createPushConfig: config,
  getPushConfig: config,
  listPushConfigs: fc.record({ configs: fc.array(config, { maxLength: 2 }), nextPageToken: fc.constant('') }),
  deletePushConfig: fc.constant(undefined),
};

function distinct<Entry extends { readonly url: string }>(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry, index) => entries.findIndex(({ url }) => url === entry.url) === index);
}

describe.each(WAYS)('results of $version over $binding', (way) => {
  const results = way.version === '1.0' ? NEWER : OLDER;
  it.each(Object.keys(results) as UnaryOperationName[])('%s is read as it was written', async (operation) => {
    const arbitrary = results[operation] as fc.Arbitrary<OperationResults[UnaryOperationName]>;
    await fc.assert(
      fc.asyncProperty(arbitrary, async (result) => {
        const caller = callerOf(way, { fetch: stubServer(way.binding, { unary: () => result }) });
        expect(await caller.unary(operation, INPUTS[operation], CALL)).toEqual(result);
      }),
      { numRuns: 60 },
    );
  });
});

const [newer, older] = CALLING_DIALECTS;
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('events', () => {
  it('of 1.0 are read as they were written', () => {
    fc.assert(
      fc.property(event, (value) => {
        const wire = overTheWire(v1_0.encodeEvent(value));
        expect(newer?.decodeEvent(wire)).toEqual(value);
        expect(newer?.rest.decodeEvent(wire)).toEqual(value);
        expect(newer?.isFinal(wire)).toBe(false);
      }),
    );
  });

  it.each([v0_3, v0_3Text, v0_3Proto, v0_3Bare])('of 0.3 are read in the form $name', (form) => {
    fc.assert(
      fc.property(event.map(lossy.event), (value) => {
        const wire = overTheWire(form.encodeEvent(value));
        const { decodeEvent } = (form === v0_3Proto && exactly) || (older as CallingDialect);
        expect(decodeEvent(wire)).toEqual(value);
        const isFinal = value.kind === 'status' && /completed|failed|canceled|rejected|input/.test(value.status.state);
        expect(older?.isFinal(wire)).toBe(isFinal);
      }),
    );
  });

  it.each([v0_3, v0_3Text, v0_3Proto, v0_3Bare])('results of 0.3 are read in the form $name', (form) => {
    fc.assert(
      fc.property(fc.oneof(task.map(lossy.task), message.map(lossy.message)), config, (value, stored) => {
        const sent = overTheWire(form.encode.sendMessage(value));
        expect(exactly?.decodeResult.sendMessage(sent, INPUTS.sendMessage)).toEqual(value);
        const wire = overTheWire(form.encode.getPushConfig(stored));
        expect(older?.rest.decodeResult.getPushConfig(wire, INPUTS.getPushConfig)).toEqual(stored);
        const page = overTheWire(form.encode.listPushConfigs({ configs: [stored], nextPageToken: '' }));
        expect(older?.rest.decodeResult.listPushConfigs(page, INPUTS.listPushConfigs).configs).toEqual([stored]);
      }),
    );
  });
});

describe('answers that are not as the text has them', () => {
  it('are read where they are clear: no kind, no wrapper, no context, any time zone', () => {
    const bare = { id: 't', status: { state: 'working', timestamp: '2026-01-05T11:15:00+01:00' } };
    expect(older?.decodeResult.sendMessage(bare, INPUTS.sendMessage)).toMatchObject({
      id: 't',
      contextId: '',
      status: { timestamp: '2026-01-05T10:15:00.000Z' },
    });
    const named = { id: 't', status: { state: 'TASK_STATE_UNSPECIFIED', timestamp: '2026-01-05T11:15:00+01:00' } };
    expect(newer?.decodeResult.sendMessage(named, INPUTS.sendMessage)).toMatchObject({
      status: { state: 'unknown', timestamp: '2026-01-05T10:15:00.000Z' },
    });
    expect(newer?.decodeEvent(named)).toMatchObject({ kind: 'task' });
  });

  it.each([
    null,
    undefined,
    1,
    'text',
    [],
    {},
    { id: 't' },
    { id: 't', status: { state: true } },
    { task: 1 },
  ])('%j is refused as the fault of the server', (wire) => {
    for (const dialect of CALLING_DIALECTS) {
      for (const read of [
        () => dialect.decodeResult.getTask(wire, INPUTS.getTask),
        () => dialect.decodeResult.sendMessage(wire, INPUTS.sendMessage),
        () => dialect.decodeEvent(wire),
      ]) {
        expect(read).toThrow(expect.objectContaining({ code: 'INVALID_RESPONSE' }));
      }
    }
  });

  it('name what is wrong', () => {
    expect(() => newer?.decodeResult.getTask({ id: 't', status: {} }, INPUTS.getTask)).toThrow(
      /response is not valid A2A: status.state is required/,
    );
  });
});
