import { describe, expect, it } from 'vitest';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../../src/dialects/v0_3/index.ts';
import { OPERATIONS, type OperationName } from '../../../src/model/operations.ts';
import { refusalOf, refusedFields } from '../support/refusals.ts';

const { decode } = v0_3;
const message = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };

function partsOf(...parts: readonly unknown[]) {
  return decode.sendMessage({ message: { ...message, parts } }).message.parts;
}

describe('the methods of 0.3', () => {
  it('are those of the table [rule:v03.methods]', () => {
    expect(Object.fromEntries(v0_3.methods)).toEqual({
      'message/send': 'sendMessage',
      'message/stream': 'sendStreamingMessage',
      'tasks/get': 'getTask',
      'tasks/cancel': 'cancelTask',
      'tasks/resubscribe': 'subscribeToTask',
      'tasks/pushNotificationConfig/set': 'createPushConfig',
      'tasks/pushNotificationConfig/get': 'getPushConfig',
      'tasks/pushNotificationConfig/list': 'listPushConfigs',
      'tasks/pushNotificationConfig/delete': 'deletePushConfig',
      'agent/getAuthenticatedExtendedCard': 'getExtendedCard',
    });
  });

  it('cannot list tasks [rule:v03.no-list]', () => {
    expect([...v0_3.methods.values()]).not.toContain('listTasks');
    expect(v0_3.rest.paths.lists).toBe(false);
    for (const dialect of [v0_3, v0_3Text, v0_3Proto, v0_3Bare]) {
      expect(refusalOf(() => dialect.decode.listTasks({})).code).toBe('METHOD_NOT_FOUND');
    }
  });
});

describe('requests of 0.3', () => {
  it('reads a message without kind and refuses another kind [rule:v03.kind]', () => {
    const { kind: _, ...rest } = message;
    expect(decode.sendMessage({ message: rest })).toEqual(decode.sendMessage({ message }));
    const error = refusalOf(() => decode.sendMessage({ message: { ...message, kind: 'task' } }));
    expect(error.violations).toEqual([{ field: 'message.kind', description: 'must be "message"' }]);
  });

  it('says which kinds of parts there are (S0.3)', () => {
    const error = refusalOf(() => partsOf({ kind: 'tool-result', toolUseId: 'input-1' }));
    expect(error.violations).toEqual([
      { field: 'message.parts[0].kind', description: 'must be one of text, file, data' },
    ]);
  });

  it('reads files with bytes or a uri, and refuses both together (S4.3) [rule:v03.file-parts]', () => {
    const file = { mimeType: 'text/plain', name: 'hi.txt' };
    const attributes = { mediaType: 'text/plain', filename: 'hi.txt' };
    expect(partsOf({ kind: 'file', file: { ...file, bytes: 'aGk' } })).toEqual([
      { kind: 'bytes', bytes: 'aGk=', ...attributes },
    ]);
    expect(partsOf({ kind: 'file', file: { ...file, uri: 'https://a.example/hi' } })).toEqual([
      { kind: 'link', url: 'https://a.example/hi', ...attributes },
    ]);
    const error = refusalOf(() => partsOf({ kind: 'file', file: { bytes: 'aGk=', uri: 'https://a.example' } }));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.violations).toEqual([
      { field: 'message.parts[0].file', description: 'must have exactly one of bytes, uri' },
    ]);
  });

  it('unwraps data that is not an object [rule:v03.data-object]', () => {
    const metadata = { data_part_compat: true, page: 1 };
    expect(partsOf({ kind: 'data', data: { value: [1, 2] }, metadata })).toEqual([
      { kind: 'data', data: [1, 2], metadata: { page: 1 } },
    ]);
    expect(partsOf({ kind: 'data', data: { value: [1, 2] } })).toEqual([{ kind: 'data', data: { value: [1, 2] } }]);
    expect(refusedFields(() => partsOf({ kind: 'data', data: [1, 2] }))).toEqual(['message.parts[0].data']);
  });

  it('waits unless blocking is false [rule:v03.blocking] [rule:v03.blocking-absent-forms]', () => {
    const immediately = (configuration: unknown) => decode.sendMessage({ message, configuration }).returnImmediately;
    expect(immediately({ blocking: true })).toBe(false);
    expect(immediately({ blocking: false })).toBe(true);
    for (const absent of [undefined, null, {}, { blocking: null }]) expect(immediately(absent)).toBe(false);
    for (const { decode: read } of [v0_3Text, v0_3Bare]) {
      expect(read.sendMessage({ message, configuration: {} }).returnImmediately).toBe(false);
    }
  });

  it('does not wait in ProtoJSON where a configuration leaves blocking out [rule:v03.blocking-absent-forms]', () => {
    const proto = { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hi' }] };
    const immediately = (params: object) =>
      v0_3Proto.decode.sendMessage({ message: proto, ...params }).returnImmediately;
    expect(immediately({ configuration: { blocking: true } })).toBe(false);
    expect(immediately({ configuration: { blocking: false } })).toBe(true);
    for (const configuration of [{}, { historyLength: 1 }, { blocking: null }]) {
      expect(immediately({ configuration })).toBe(true);
      const { returnImmediately } = v0_3Bare.decode.sendMessage({ message: proto, configuration });
      expect(returnImmediately).toBe(true);
    }
    expect(immediately({ configuration: null })).toBe(false);
    expect(immediately({})).toBe(false);
  });

  it('keeps metadata as it was parsed', () => {
    const metadata = JSON.parse('{"a": [1, null], "__proto__": {"polluted": 1}}');
    const input = decode.sendMessage({ message: { ...message, metadata }, metadata });
    expect(input.metadata).toBe(metadata);
    expect(input.message.metadata).toBe(metadata);
    const wrapped = partsOf({ kind: 'data', data: { value: 1 }, metadata: { ...metadata, data_part_compat: true } });
    expect(JSON.stringify(wrapped[0]?.metadata)).toBe(JSON.stringify(metadata));
  });

  it('names the task by id in the calls about push configs', () => {
    expect(decode.getPushConfig({ id: 't-1', pushNotificationConfigId: 'c' })).toMatchObject({
      taskId: 't-1',
      id: 'c',
    });
    expect(decode.deletePushConfig({ id: 't-1', pushNotificationConfigId: 'c' })).toMatchObject({ id: 'c' });
    expect(decode.listPushConfigs({ id: 't-1' })).toMatchObject({ taskId: 't-1' });
  });

  it('asks for the first config where it names none', () => {
    expect(decode.getPushConfig({ id: 't-1' })).toEqual({ tenant: '', taskId: 't-1', id: '' });
  });

  it('refuses push configs without url or scheme [rule:push.create-invalid]', () => {
    const set = (config: unknown) => decode.createPushConfig({ taskId: 't-1', pushNotificationConfig: config });
    const url = 'https://client.example.com/hook';
    expect(refusedFields(() => set({}))).toEqual(['pushNotificationConfig.url']);
    for (const authentication of [{}, { schemes: [] }, { schemes: [''] }, { schemes: null, credentials: 's' }]) {
      expect(refusedFields(() => set({ url, authentication }))).toEqual([
        'pushNotificationConfig.authentication.schemes',
      ]);
    }
  });

  it('needs no params for the extended card', () => {
    expect(decode.getExtendedCard(undefined)).toEqual({ tenant: '' });
    expect(decode.getExtendedCard(null)).toEqual({ tenant: '' });
  });

  it('knows no tenants', () => {
    expect(decode.sendMessage({ message, tenant: 'acme' }).tenant).toBe('');
    expect(v0_3.rest.paths.tenants).toBe(false);
  });

  it('takes nothing else for params that is no object', () => {
    for (const operation of Object.keys(OPERATIONS) as OperationName[]) {
      if (operation === 'listTasks') continue;
      for (const params of [[], [{}], 'x', 0, true]) {
        expect(refusedFields(() => decode[operation](params))).toEqual(['params']);
      }
    }
  });
});
