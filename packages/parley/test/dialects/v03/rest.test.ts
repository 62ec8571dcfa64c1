import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../../src/dialects/v0_3/index.ts';
import type { PushConfig } from '../../../src/model/operations.ts';
import { text } from '../../../src/model/parts.ts';
import type { Message, StreamEvent, Task } from '../../../src/model/task.ts';
import { violationsOf } from '../support/closed-schema.ts';
import { filesOf, type Sample } from '../support/corpus.ts';
import { SCHEMA_V03, SCHEMA_V03_PROTO } from '../support/schema-v03.ts';

const timestamp = '2026-01-05T10:15:02.120Z';
const message: Message = { messageId: 'm-1', role: 'agent', parts: [text('hi')] };
const task: Task = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'canceled', timestamp },
  artifacts: [],
  history: [message],
};
const events: readonly StreamEvent[] = [
  { kind: 'task', task },
  { kind: 'message', message },
  { kind: 'status', taskId: 't-1', contextId: 'c-1', status: { state: 'canceled', timestamp } },
  {
    kind: 'artifact',
    taskId: 't-1',
    contextId: 'c-1',
    artifact: { artifactId: 'a-1', parts: [text('x')] },
    append: false,
    lastChunk: true,
  },
];
const config: PushConfig = { id: 'cfg-1', taskId: 't-1', url: 'https://client.example.com/hook' };
const url = config.url;

const textMessage = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const protoMessage = { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hi' }] };

function formOf(verb: string, body: unknown, place: 'agent' | 'root' = 'agent'): string {
  return v0_3.rest.dialectFor({ verb, body, place }).name;
}

describe('the form of a REST request of 0.3', () => {
  it('is told by the parts of its message [rule:v03.rest-forms]', () => {
    expect(formOf('POST', { message: textMessage })).toBe('v0_3-text');
    expect(formOf('POST', { message: protoMessage })).toBe('v0_3-proto');
    expect(formOf('POST', { request: { ...protoMessage, message_id: 'm-1' } })).toBe('v0_3-proto');
    expect(formOf('POST', { message: { kind: 'message', messageId: 'm-1' } })).toBe('v0_3-text');
    expect(formOf('POST', { message: { ...protoMessage, parts: null } })).toBe('v0_3-proto');
  });

  it('is the proto where there is no message, as in a GET [rule:v03.rest-forms]', () => {
    for (const verb of ['GET', 'DELETE']) expect(formOf(verb, undefined)).toBe('v0_3-proto');
    for (const body of [undefined, null, {}, { name: 'tasks/t-1' }, [], 'x', { message: 'x' }]) {
      expect(formOf('POST', body)).toBe('v0_3-proto');
    }
  });

  it('is that of the push config that is created', () => {
    const pushNotificationConfig = { url };
    expect(formOf('POST', { taskId: 't-1', pushNotificationConfig })).toBe('v0_3-text');
    expect(formOf('POST', { config: { taskId: 't-1', pushNotificationConfig } })).toBe('v0_3-text');
    expect(formOf('POST', { name: 'tasks/t-1', pushNotificationConfig })).toBe('v0_3-proto');
    expect(formOf('POST', { parent: 'tasks/t-1', configId: 'c', config: { pushNotificationConfig } })).toBe(
      'v0_3-proto',
    );
    expect(formOf('POST', { url })).toBe('v0_3-proto');
  });

  it('is bare at the root of the host, whatever it is (S0.12)', () => {
    for (const body of [undefined, { message: textMessage }, { message: protoMessage }]) {
      expect(formOf('POST', body, 'root')).toBe('v0_3-bare');
      expect(formOf('GET', body, 'root')).toBe('v0_3-bare');
    }
  });

  it('can be asked of every form', () => {
    for (const dialect of [v0_3Text, v0_3Proto, v0_3Bare]) expect(dialect.rest).toBe(v0_3.rest);
    expect(v0_3.rest.paths).toEqual({ prefix: 'v1', extendedCard: 'card', lists: false, tenants: false });
    expect(v0_3.rest.mediaTypes).toEqual(['application/json']);
  });
});

describe('REST requests of 0.3', () => {
  it('mean the same in both forms, camelCase and snake_case [rule:v03.rest-forms]', () => {
    const { messageId, ...rest } = protoMessage;
    const configuration = { accepted_output_modes: ['text/plain'], history_length: '2', blocking: false };
    const expected = v0_3.decode.sendMessage({ message: textMessage, configuration });
    for (const dialect of [v0_3Proto, v0_3Bare]) {
      const read = dialect.decode.sendMessage({ message: { ...rest, message_id: messageId }, configuration });
      expect(read).toEqual(expected);
    }
    expect(v0_3Text.decode.sendMessage({ message: textMessage, configuration })).toEqual(expected);
    expect(v0_3Bare.decode.sendMessage({ message: textMessage, configuration })).toEqual(expected);
  });

  it('take the task from the path [rule:v03.rest-push-create]', () => {
    const samples = filesOf<Sample>('v0_3_proto', 'CreateTaskPushNotificationConfigRequest');
    expect(samples.length).toBeGreaterThan(6);
    for (const { content } of samples) {
      const params = { ...(content.wire as object), taskId: 't-7' };
      for (const dialect of [v0_3Text, v0_3Proto, v0_3Bare]) {
        expect(dialect.decode.createPushConfig(params).config).toMatchObject({ taskId: 't-7', url });
      }
    }
    expect(v0_3Proto.decode.cancelTask({ name: 'tasks/other', id: 't-1' }).id).toBe('t-1');
  });
});

describe('REST answers of 0.3', () => {
  it('wrap sends and events, with kind inside in the text form [rule:v03.rest-wrapped]', () => {
    for (const dialect of [v0_3Text, v0_3Proto]) {
      expect(Object.keys(dialect.encode.sendMessage(task) as object)).toEqual(['task']);
      expect(Object.keys(dialect.encode.sendMessage(message) as object)).toEqual(['message']);
      expect(events.map((event) => Object.keys(dialect.encodeEvent(event) as object)[0])).toEqual([
        'task',
        'message',
        'statusUpdate',
        'artifactUpdate',
      ]);
    }
    expect(events.flatMap((event) => violationsOf(SCHEMA_V03, 'Wrapped', v0_3Text.encodeEvent(event)))).toEqual([]);
    expect(
      events.flatMap((event) => violationsOf(SCHEMA_V03_PROTO, 'StreamResponse', v0_3Proto.encodeEvent(event))),
    ).toEqual([]);
    expect(JSON.stringify(events.map(v0_3Proto.encodeEvent))).not.toContain('"kind"');
  });

  it('write CANCELLED with two Ls in the proto form [rule:v03.rest-cancelled]', () => {
    expect(v0_3Proto.encode.getTask(task)).toMatchObject({ status: { state: 'TASK_STATE_CANCELLED' } });
    expect(v0_3Text.encode.getTask(task)).toMatchObject({ kind: 'task', status: { state: 'canceled' } });
  });

  it('are bare at the root of the host (S0.12)', () => {
    expect(v0_3Bare.encode.sendMessage(task)).toEqual(v0_3.encode.sendMessage(task));
    expect(events.map(v0_3Bare.encodeEvent)).toEqual(events.map(v0_3.encodeEvent));
  });

  it('name push configs in the proto form and nest them in the text form', () => {
    const inner = { id: 'cfg-1', url };
    const named = { name: 'tasks/t-1/pushNotificationConfigs/cfg-1', pushNotificationConfig: inner };
    expect(v0_3Proto.encode.createPushConfig(config)).toEqual(named);
    expect(v0_3Proto.encode.getPushConfig(config)).toEqual(named);
    expect(v0_3Proto.encode.listPushConfigs({ configs: [config], nextPageToken: 'n' })).toEqual({
      configs: [named],
      nextPageToken: 'n',
    });
    expect(v0_3Proto.encode.listPushConfigs({ configs: [], nextPageToken: '' })).toEqual({ configs: [] });
    expect(v0_3Text.encode.createPushConfig(config)).toEqual({ taskId: 't-1', pushNotificationConfig: inner });
    const forms: readonly Dialect[] = [v0_3Text, v0_3Proto, v0_3Bare];
    for (const dialect of forms) expect(dialect.encode.deletePushConfig(undefined)).toEqual({});
  });
});
