import { describe, expect, it } from 'vitest';
import { v1_0 } from '../../../src/dialects/v1_0/index.ts';
import { decodeMessage } from '../../../src/dialects/v1_0/messages.ts';
import type { TaskPage } from '../../../src/model/operations.ts';
import { bytes, json, link, text } from '../../../src/model/parts.ts';
import { TASK_STATES } from '../../../src/model/states.ts';
import type { Message, StreamEvent, Task } from '../../../src/model/task.ts';
import { violationsOfV1 } from '../support/closed-schema.ts';

const { encode, encodeEvent } = v1_0;
const timestamp = '2026-01-05T10:15:02.120Z';
const message: Message = { messageId: 'm-1', role: 'agent', parts: [text('hi')], contextId: 'c-1' };
const task: Task = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'working', timestamp },
  artifacts: [{ artifactId: 'a-1', parts: [text('x')] }],
  history: [message],
};
const page: TaskPage = { tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1, includeArtifacts: false };

function written(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('results of 1.0', () => {
  it('wraps what a send returns [rule:send.wrapped]', () => {
    expect(Object.keys(encode.sendMessage(task) as object)).toEqual(['task']);
    expect(Object.keys(encode.sendMessage(message) as object)).toEqual(['message']);
  });

  it('returns tasks bare from get and cancel, and nothing from delete', () => {
    expect(encode.getTask(task)).toEqual(encode.cancelTask(task));
    expect(written(encode.getTask(task))).toEqual({
      id: 't-1',
      contextId: 'c-1',
      status: { state: 'TASK_STATE_WORKING', timestamp },
      artifacts: [{ artifactId: 'a-1', parts: [{ text: 'x' }] }],
      history: [{ messageId: 'm-1', role: 'ROLE_AGENT', contextId: 'c-1', parts: [{ text: 'hi' }] }],
    });
    expect(written(encode.deletePushConfig(undefined))).toEqual({});
  });

  it('writes enums as full names [rule:json.enums]', () => {
    for (const state of TASK_STATES) {
      const wire = encode.getTask({ ...task, status: { state, timestamp } });
      expect(wire).toMatchObject({ status: { state: `TASK_STATE_${state.toUpperCase().replace('-', '_')}` } });
    }
    expect(encode.sendMessage({ ...message, role: 'user' })).toMatchObject({ message: { role: 'ROLE_USER' } });
  });

  it('always writes the next page token, empty on the last page [rule:list.next-token]', () => {
    expect(written(encode.listTasks(page))).toHaveProperty('nextPageToken', '');
    expect(written(encode.listTasks({ ...page, nextPageToken: 'n' }))).toHaveProperty('nextPageToken', 'n');
  });

  it('always writes tasks and sizes [rule:list.sizes]', () => {
    const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0, includeArtifacts: false };
    expect(written(encode.listTasks(empty))).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
    expect(written(encode.listTasks({ ...page, totalSize: 7 }))).toMatchObject({ pageSize: 50, totalSize: 7 });
  });

  it('leaves artifacts out of lists unless they were asked for [rule:list.artifacts-absent]', () => {
    const bare: Task = { ...task, id: 't-2', artifacts: [] };
    expect(written(encode.listTasks({ ...page, tasks: [task, bare] }))).toMatchObject({
      tasks: [
        expect.not.objectContaining({ artifacts: expect.anything() }),
        expect.not.objectContaining({ artifacts: [] }),
      ],
    });
    expect(written(encode.listTasks({ ...page, tasks: [task, bare], includeArtifacts: true }))).toMatchObject({
      tasks: [{ artifacts: [{ artifactId: 'a-1' }] }, { artifacts: [] }],
    });
  });

  it('leaves out what is empty or unset', () => {
    const wire = written(
      encode.getTask({
        ...task,
        artifacts: [],
        history: [],
        status: { state: 'working', timestamp, message: { ...message, extensions: [], referenceTaskIds: [] } },
      }),
    );
    expect(wire).not.toHaveProperty('artifacts');
    expect(wire).not.toHaveProperty('history');
    expect(wire).not.toHaveProperty('metadata');
    expect(wire).not.toHaveProperty('status.message.extensions');
    expect(wire).not.toHaveProperty('status.message.referenceTaskIds');
  });

  it('writes required members even when they are empty [rule:json.presence]', () => {
    const update = { kind: 'status', taskId: 't-1', contextId: '', status: { state: 'working', timestamp } } as const;
    expect(written(encodeEvent(update))).toMatchObject({ statusUpdate: { contextId: '' } });
    const card = v1_0.encodeCard({
      name: 'a',
      description: '',
      version: '1',
      interfaces: [],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false, extensions: [] },
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
    expect(written(card)).toMatchObject({
      description: '',
      skills: [],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    });
  });
});

describe('parts of 1.0', () => {
  const attributes = { mediaType: 'text/x', filename: 'f', metadata: { a: [null] } };

  function roundTrip(...parts: Message['parts']): Message['parts'] {
    const wire = encode.sendMessage({ ...message, parts }) as { message: unknown };
    return decodeMessage(written(wire.message)).parts;
  }

  it('keeps empty text and any data, null included [rule:parts.values]', () => {
    const parts = [text(''), json(null), json(false), json(0), json(''), json([]), json({ a: null }), json([1, [2]])];
    expect(roundTrip(...parts)).toEqual(parts);
    expect(written(encode.sendMessage({ ...message, parts: [text(''), json(null)] }))).toMatchObject({
      message: { parts: [{ text: '' }, { data: null }] },
    });
  });

  it('writes padded standard base64 and reads every common form [rule:parts.raw]', () => {
    const file = bytes(Uint8Array.of(0xfb, 0xff, 0xfe, 0xff));
    expect(written(encode.sendMessage({ ...message, parts: [file] }))).toMatchObject({
      message: { parts: [{ raw: '+//+/w==' }] },
    });
    const read = (raw: string) => decodeMessage({ messageId: 'm', role: 1, parts: [{ raw }] }).parts;
    for (const raw of ['+//+/w==', '+//+/w', '-__-_w==', '-__-_w']) expect(read(raw)).toEqual([file]);
    for (const raw of ['+//+/w=', '+//-/w==', 'a b=', 'AAAAA', 'é']) expect(() => read(raw)).toThrow('must be base64');
  });

  it('keeps the attributes of every kind [rule:parts.attributes]', () => {
    const parts = [
      text('x', attributes),
      bytes('x', attributes),
      link('https://a.example', attributes),
      json(1, attributes),
    ];
    expect(roundTrip(...parts)).toEqual(parts);
  });
});

describe('events of 1.0', () => {
  const artifact = task.artifacts[0] ?? { artifactId: '', parts: [] };
  const events: readonly StreamEvent[] = [
    { kind: 'task', task },
    { kind: 'message', message },
    { kind: 'status', taskId: 't-1', contextId: 'c-1', status: { state: 'completed', timestamp } },
    { kind: 'artifact', taskId: 't-1', contextId: 'c-1', artifact, append: false, lastChunk: false },
    { kind: 'artifact', taskId: 't-1', contextId: 'c-1', artifact, append: true, lastChunk: true },
  ];

  it('have one payload and no discriminators [rule:stream.one-payload]', () => {
    const wires = events.map(encodeEvent);
    expect(wires.map((wire) => Object.keys(wire as object))).toEqual([
      ['task'],
      ['message'],
      ['statusUpdate'],
      ['artifactUpdate'],
      ['artifactUpdate'],
    ]);
    expect(wires.flatMap((wire) => violationsOfV1('StreamResponse', wire))).toEqual([]);
    expect(JSON.stringify(wires)).not.toMatch(/"(kind|final)"/);
  });

  it('carry both ids in updates [rule:stream.update-ids]', () => {
    const ids = { taskId: 't-1', contextId: 'c-1' };
    const updates = events.slice(2).map((event) => Object.values(encodeEvent(event) as object)[0]);
    expect(updates).toEqual([expect.objectContaining(ids), expect.objectContaining(ids), expect.objectContaining(ids)]);
  });

  it('write append and lastChunk only when true', () => {
    const [first, last] = events.slice(3).map((event) => written(encodeEvent(event)));
    expect(first).not.toHaveProperty('artifactUpdate.append');
    expect(first).not.toHaveProperty('artifactUpdate.lastChunk');
    expect(last).toMatchObject({ artifactUpdate: { append: true, lastChunk: true } });
  });

  it('do not let inner fields out', () => {
    const last = {
      kind: 'artifact',
      taskId: 't-1',
      contextId: 'c-1',
      artifact,
      append: true,
      lastChunk: true,
    } as const;
    const inner = { ...last, seq: 7, time: 1, continues: true, closing: true };
    expect(written(encodeEvent(inner))).toEqual(written(encodeEvent(last)));
    const stored = { ...task, seq: 9, owner: 'o', lease: 1 };
    expect(violationsOfV1('Task', encode.getTask(stored))).toEqual([]);
  });
});
