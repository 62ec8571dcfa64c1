import { describe, expect, it } from 'vitest';
import { v1_0 } from '../../../src/dialects/v1_0/index.ts';
import { OPERATIONS, type OperationName } from '../../../src/model/operations.ts';
import { refusalOf, refusedFields } from '../support/refusals.ts';

const { decode } = v1_0;
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

function partsOf(...parts: readonly unknown[]) {
  return decode.sendMessage({ message: { ...message, parts } }).message.parts;
}

describe('the methods of 1.0', () => {
  it('cover every operation', () => {
    expect([...v1_0.methods.values()].sort()).toEqual(Object.keys(OPERATIONS).sort());
    expect(v1_0.methods.get('ListTaskPushNotificationConfigs')).toBe('listPushConfigs');
    expect(v1_0.methods.get('message/send')).toBeUndefined();
  });
});

describe('requests of 1.0', () => {
  it('reads snake_case names, camelCase first [rule:json.snake-in]', () => {
    const input = decode.listTasks({ context_id: 'c-1', page_size: 7, pageSize: 8, include_artifacts: true });
    expect(input).toMatchObject({ contextId: 'c-1', pageSize: 8, includeArtifacts: true });
  });

  it('reads enums by name and by number and refuses others [rule:json.enums-in]', () => {
    expect(decode.listTasks({ status: 'TASK_STATE_INPUT_REQUIRED' }).state).toBe('input-required');
    expect(decode.listTasks({ status: 6 }).state).toBe('input-required');
    const error = refusalOf(() => decode.listTasks({ status: 'TASK_STATE_RUNNING' }));
    expect(error.violations[0]?.description).toContain('TASK_STATE_WORKING');
  });

  it('takes null for unset, except in data [rule:json.null-unset]', () => {
    const input = decode.listTasks({ contextId: null, status: null, pageSize: null, historyLength: null });
    expect(input).toEqual({ tenant: '', pageSize: 50, includeArtifacts: false });
    expect(refusedFields(() => decode.getTask({ id: null }))).toEqual(['id']);
    expect(partsOf({ text: null, data: null })).toEqual([{ kind: 'data', data: null }]);
  });

  it('ignores unknown members [rule:json.unknown-ignored]', () => {
    expect(decode.getTask({ id: 't-1', kind: 'x', metadata: 5 })).toEqual({
      tenant: '',
      id: 't-1',
    });
    expect(partsOf({ kind: 'text', text: 'hi', final: true })).toEqual([{ kind: 'text', text: 'hi' }]);
  });

  it('keeps metadata as it was parsed [rule:json.metadata]', () => {
    const metadata = JSON.parse('{"a": [1, null, {"b": false}], "": "x", "__proto__": {"polluted": 1}, "n": 1e300}');
    const input = decode.sendMessage({ message: { ...message, metadata }, metadata });
    expect(input.metadata).toBe(metadata);
    expect(JSON.stringify(input.message.metadata)).toBe(JSON.stringify(metadata));
  });

  it('refuses a send without a whole message [rule:send.missing-message]', () => {
    for (const send of [decode.sendMessage, decode.sendStreamingMessage]) {
      expect(refusedFields(() => send({}))).toEqual(['message']);
      expect(refusedFields(() => send({ message: { ...message, messageId: undefined } }))).toEqual([
        'message.messageId',
      ]);
      expect(refusedFields(() => send({ message: { ...message, parts: [] } }))).toEqual(['message.parts']);
      expect(refusedFields(() => send({ message: { ...message, role: undefined } }))).toEqual(['message.role']);
      expect(refusedFields(() => send({ message: { ...message, role: 'ROLE_UNSPECIFIED' } }))).toEqual([
        'message.role',
      ]);
    }
  });

  it('wants exactly one content in a part [rule:parts.exactly-one]', () => {
    expect(refusedFields(() => partsOf({}))).toEqual(['message.parts[0]']);
    expect(refusedFields(() => partsOf({ text: 'a', raw: '' }))).toEqual(['message.parts[0]']);
    expect(refusedFields(() => partsOf({ text: 'a', data: null }))).toEqual(['message.parts[0]']);
    expect(refusalOf(() => partsOf({ mediaType: 'text/plain' })).violations[0]?.description).toBe(
      'must have exactly one of text, raw, url, data',
    );
  });

  it('refuses a negative history length everywhere [rule:history.negative]', () => {
    const configuration = { historyLength: -1 };
    expect(refusedFields(() => decode.sendMessage({ message, configuration }))).toEqual([
      'configuration.historyLength',
    ]);
    expect(refusedFields(() => decode.getTask({ id: 't-1', historyLength: -1 }))).toEqual(['historyLength']);
    expect(refusedFields(() => decode.listTasks({ historyLength: '-1' }))).toEqual(['historyLength']);
  });

  it('tells a history length of 0 from none', () => {
    expect(decode.getTask({ id: 't-1', historyLength: 0 }).historyLength).toBe(0);
    expect(decode.getTask({ id: 't-1' }).historyLength).toBeUndefined();
  });

  it('lists 50 by default and refuses sizes outside 1..100 [rule:list.page-size]', () => {
    expect(decode.listTasks({}).pageSize).toBe(50);
    expect(decode.listTasks({ pageSize: 1 }).pageSize).toBe(1);
    expect(decode.listTasks({ pageSize: 100 }).pageSize).toBe(100);
    for (const pageSize of [0, -1, 101, 150, 2 ** 31, 1.5]) {
      expect(refusedFields(() => decode.listTasks({ pageSize }))).toEqual(['pageSize']);
    }
  });

  it('refuses push configs without url or scheme [rule:push.create-invalid]', () => {
    const url = 'https://client.example.com/hook';
    expect(refusedFields(() => decode.createPushConfig({ taskId: 't-1' }))).toEqual(['url']);
    expect(refusedFields(() => decode.createPushConfig({ taskId: 't-1', url, authentication: {} }))).toEqual([
      'authentication.scheme',
    ]);
    const taskPushNotificationConfig = { url, authentication: { credentials: 's3cret' } };
    expect(refusedFields(() => decode.sendMessage({ message, configuration: { taskPushNotificationConfig } }))).toEqual(
      ['configuration.taskPushNotificationConfig.authentication.scheme'],
    );
  });

  it('takes no params for an empty object, and nothing else that is no object', () => {
    expect(decode.getExtendedCard(undefined)).toEqual({ tenant: '' });
    expect(decode.listTasks(null)).toEqual(decode.listTasks({}));
    for (const operation of Object.keys(OPERATIONS) as OperationName[]) {
      for (const params of [[], [{}], 'x', 0, true]) {
        expect(refusedFields(() => decode[operation](params))).toEqual(['params']);
      }
    }
  });
});
