import { describe, expect, it } from 'vitest';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../../src/dialects/v0_3/index.ts';
import { decodeEvent } from '../../../src/dialects/v0_3/task/events.ts';
import type { PushConfig } from '../../../src/model/operations.ts';
import { bytes, json, link, text } from '../../../src/model/parts.ts';
import { TASK_STATES, type TaskState } from '../../../src/model/states.ts';
import type { Message, StreamEvent, Task } from '../../../src/model/task.ts';
import { violationsOf } from '../support/closed-schema.ts';
import { filesOf, type Sample } from '../support/corpus.ts';
import { SCHEMA_V03 } from '../support/schema-v03.ts';

const { encode, encodeEvent } = v0_3;
const timestamp = '2026-01-05T10:15:02.120Z';
const message: Message = { messageId: 'm-1', role: 'agent', parts: [text('hi')], contextId: 'c-1' };
const task: Task = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'working', timestamp },
  artifacts: [{ artifactId: 'a-1', parts: [text('x')] }],
  history: [message],
};
const config: PushConfig = {
  id: 'cfg-1',
  taskId: 't-1',
  url: 'https://client.example.com/hook',
  token: 'opaque',
  authentication: { scheme: 'Bearer', credentials: 's3cret' },
};
const wireConfig = {
  url: 'https://client.example.com/hook',
  id: 'cfg-1',
  token: 'opaque',
  authentication: { schemes: ['Bearer'], credentials: 's3cret' },
};

function written(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function statusUpdate(state: TaskState): StreamEvent {
  return { kind: 'status', taskId: 't-1', contextId: 'c-1', status: { state, timestamp } };
}

describe('results of 0.3', () => {
  it('are bare and told apart by kind [rule:v03.result-bare]', () => {
    expect(encode.sendMessage(task)).toMatchObject({ kind: 'task', id: 't-1' });
    expect(encode.sendMessage(message)).toMatchObject({ kind: 'message', messageId: 'm-1' });
    expect(encode.getTask(task)).toEqual(encode.cancelTask(task));
  });

  it('have kind first, states and roles in lower case (S0.3) [rule:v03.kind]', () => {
    expect(JSON.stringify(encode.getTask(task))).toBe(
      JSON.stringify({
        kind: 'task',
        id: 't-1',
        contextId: 'c-1',
        status: { state: 'working', timestamp },
        history: [
          { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'hi' }], messageId: 'm-1', contextId: 'c-1' },
        ],
        artifacts: [{ artifactId: 'a-1', parts: [{ kind: 'text', text: 'x' }] }],
      }),
    );
    for (const state of TASK_STATES) {
      expect(encode.getTask({ ...task, status: { state, timestamp } })).toMatchObject({ status: { state } });
    }
  });

  it('have a context id, always [rule:v03.context-id]', () => {
    for (const dialect of [v0_3, v0_3Text, v0_3Proto, v0_3Bare]) {
      expect(written(dialect.encode.getTask(task))).toHaveProperty('contextId', 'c-1');
      expect(written(dialect.encode.getTask({ ...task, contextId: '' }))).toHaveProperty('contextId', '');
    }
  });

  it('have a history where a length was asked for, even an empty one [rule:v03.history-member]', () => {
    const bare = { ...task, history: [] };
    for (const dialect of [v0_3, v0_3Text, v0_3Proto, v0_3Bare]) {
      const get = (historyLength?: number) =>
        written(dialect.encode.getTask(bare, { tenant: '', id: 't-1', historyLength }));
      expect(get(0)).toHaveProperty('history', []);
      expect(get(5)).toHaveProperty('history', []);
      expect(get()).not.toHaveProperty('history');
    }
  });

  it('nest push configs beside the task, list them as an array, and delete to null', () => {
    const nested = { taskId: 't-1', pushNotificationConfig: wireConfig };
    expect(written(encode.createPushConfig(config))).toEqual(nested);
    expect(written(encode.getPushConfig(config))).toEqual(nested);
    expect(written(encode.listPushConfigs({ configs: [config], nextPageToken: '' }))).toEqual([nested]);
    expect(written(encode.listPushConfigs({ configs: [], nextPageToken: '' }))).toEqual([]);
    expect(encode.deletePushConfig(undefined)).toBeNull();
  });

  it('take the task of a push config from the request where it does not name one', () => {
    const { taskId: _, ...nameless } = config;
    const input = { tenant: '', taskId: 't-2', id: 'cfg-1' };
    expect(encode.getPushConfig(nameless, input)).toMatchObject({ taskId: 't-2' });
    expect(v0_3Proto.encode.listPushConfigs({ configs: [nameless], nextPageToken: '' }, input)).toMatchObject({
      configs: [{ name: 'tasks/t-2/pushNotificationConfigs/cfg-1' }],
    });
  });
});

describe('parts of 0.3', () => {
  const attributes = { mediaType: 'text/csv', filename: 'f.csv', metadata: { a: [null] } };
  const write = (...parts: Message['parts']) =>
    (written(encode.sendMessage({ ...message, parts })) as { parts: unknown }).parts;

  it('keep media type and name of files [rule:v03.file-parts]', () => {
    const file = { mimeType: 'text/csv', name: 'f.csv' };
    expect(write(bytes('hi', attributes), link('https://a.example/f', attributes))).toEqual([
      { kind: 'file', file: { bytes: 'aGk=', ...file }, metadata: attributes.metadata },
      { kind: 'file', file: { uri: 'https://a.example/f', ...file }, metadata: attributes.metadata },
    ]);
  });

  it('have no place for those of text and data', () => {
    expect(write(text('x', attributes), json({ n: 1 }, attributes))).toEqual([
      { kind: 'text', text: 'x', metadata: attributes.metadata },
      { kind: 'data', data: { n: 1 }, metadata: attributes.metadata },
    ]);
  });

  it('wrap data that is not an object [rule:v03.data-object]', () => {
    expect(write(json([1, null]), json(null, { metadata: { page: 1 } }))).toEqual([
      { kind: 'data', data: { value: [1, null] }, metadata: { data_part_compat: true } },
      { kind: 'data', data: { value: null }, metadata: { page: 1, data_part_compat: true } },
    ]);
    expect(written(v0_3Proto.encode.sendMessage({ ...message, parts: [json('x')] }))).toMatchObject({
      message: { content: [{ data: { data: { value: 'x' } }, metadata: { data_part_compat: true } }] },
    });
  });
});

describe('events of 0.3', () => {
  const update = { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a-1', parts: [text('x')] } };

  it('of a status say whether they are the last [rule:v03.final-flag] [rule:v03.final-value]', () => {
    const final = Object.fromEntries(
      TASK_STATES.map((state) => [state, (encodeEvent(statusUpdate(state)) as { final: unknown }).final]),
    );
    expect(final).toEqual({
      submitted: false,
      working: false,
      completed: true,
      failed: true,
      canceled: true,
      'input-required': true,
      rejected: true,
      'auth-required': false,
    });
    for (const dialect of [v0_3Text, v0_3Proto]) {
      for (const state of TASK_STATES) {
        expect(dialect.encodeEvent(statusUpdate(state))).toMatchObject({ statusUpdate: { final: final[state] } });
      }
    }
  });

  it('of an artifact always have both flags (S0.4)', () => {
    for (const flag of [true, false]) {
      const event = { kind: 'artifact', ...update, append: flag, lastChunk: !flag } as const;
      expect(encodeEvent(event)).toMatchObject({ kind: 'artifact-update', append: flag, lastChunk: !flag });
    }
  });

  it('of the document join to its text and end with final (S0.1, S0.4)', () => {
    const events = filesOf<Sample>('v0_3', 'StreamEvent')
      .filter(({ name }) => name.includes('s0-stream'))
      .map(({ content }) => decodeEvent(content.wire));
    expect(events.map(({ kind }) => kind)).toEqual(['task', 'status', 'artifact', 'artifact', 'artifact', 'status']);
    const chunks = events.flatMap((event) => (event.kind === 'artifact' ? event.artifact.parts : []));
    expect(chunks.map((chunk) => (chunk.kind === 'text' ? chunk.text : '')).join('')).toBe(
      'Analysis: Sales increased, by 15%',
    );
    const last = events.at(-1);
    expect(last && encodeEvent(last)).toMatchObject({ kind: 'status-update', final: true });
  });

  it('do not let inner fields out', () => {
    const event = { kind: 'artifact', ...update, append: true, lastChunk: true } as const;
    const inner = { ...event, seq: 7, time: 1, continues: true, closing: true };
    expect(written(encodeEvent(inner))).toEqual(written(encodeEvent(event)));
    const stored = { ...task, seq: 9, owner: 'o', lease: 1 };
    expect(violationsOf(SCHEMA_V03, 'Task', encode.getTask(stored))).toEqual([]);
  });
});
