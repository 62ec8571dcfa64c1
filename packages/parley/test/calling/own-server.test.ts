import { type A2AServer, defineAgent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import type { BindingCaller } from '../../src/bindings/caller.ts';
import { decodeAgentCard } from '../../src/dialects/calling/calling-dialects.ts';
import type { OperationInputs } from '../../src/model/operations.ts';
import { textOf } from '../../src/model/parts.ts';
import { isTask, type Task } from '../../src/model/task.ts';
import { startServer } from '../support/rpc.ts';
import { CALL, callerOf, collected, errorOf, WAYS, type Way } from './support/callers.ts';

const agent = defineAgent({
  name: 'writer',
  description: 'Writes what it is told',
  version: '1.0.0',
  skills: [{ id: 'write', name: 'Write', description: 'Writes', tags: ['test'] }],
  async *run(task) {
    if (task.text === 'wait') {
      await task.status('Waiting');
      await new Promise((resolve) => task.signal.addEventListener('abort', resolve, { once: true }));
    }
    yield `Hello, `;
    yield `${task.text}!`;
  },
});

async function connected(way: Way): Promise<{ readonly caller: BindingCaller; readonly server: A2AServer }> {
  const { server } = startServer(agent);
  await server.listen({ port: 0 });
  return { server, caller: callerOf(way, { fetch, url: `${server.url}/a2a` }) };
}

function send(text: string, more: Partial<OperationInputs['sendMessage']> = {}): OperationInputs['sendMessage'] {
  return {
    tenant: '',
    message: { messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'text', text }] },
    acceptedOutputModes: [],
    returnImmediately: false,
    ...more,
  };
}

async function sent(
  caller: BindingCaller,
  text: string,
  more?: Partial<OperationInputs['sendMessage']>,
): Promise<Task> {
  const result = await caller.unary('sendMessage', send(text, more), CALL);
  if (!isTask(result)) throw new Error('A task was expected');
  return result;
}

describe.each(WAYS)('our own server, in $version over $binding', (way) => {
  it('answers a message, and shows the task afterwards', async () => {
    const { caller } = await connected(way);
    const task = await sent(caller, 'world');
    expect(task.status.state).toBe('completed');
    expect(textOf(task)).toBe('Hello, world!');
    expect(await caller.unary('getTask', { tenant: '', id: task.id }, CALL)).toEqual(task);
    const short = await caller.unary('getTask', { tenant: '', id: task.id, historyLength: 0 }, CALL);
    expect(short.history).toEqual([]);
  });

  it('streams, with an id for each event and an end', async () => {
    const { caller } = await connected(way);
    const events = await collected(caller.stream('sendStreamingMessage', send('world'), CALL));
    expect(events[0]?.event.kind).toBe('task');
    expect(events.at(-1)).toMatchObject({ event: { kind: 'status', status: { state: 'completed' } } });
    expect(events.at(-1)?.final).toBe(way.version === '0.3');
    const chunks = events.flatMap(({ event }) => (event.kind === 'artifact' ? [textOf(event.artifact)] : []));
    expect(chunks.join('')).toBe('Hello, world!');
    const ids = events.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it('resumes a stream from the position in the header of the call', async () => {
    const { caller } = await connected(way);
    const events = await collected(caller.stream('sendStreamingMessage', send('world'), CALL));
    const [first] = events;
    if (first?.event.kind !== 'task') throw new Error('A task was expected');
    const input = { tenant: '', id: first.event.task.id };
    const headers = { 'Last-Event-ID': first.id ?? '' };
    const again = await collected(caller.stream('subscribeToTask', input, { headers, signal: undefined }));
    expect(again).toEqual(events.slice(1));
  });

  it('returns at once, is followed and is canceled', async () => {
    const { caller } = await connected(way);
    const task = await sent(caller, 'wait', { returnImmediately: true });
    expect(['submitted', 'working']).toContain(task.status.state);
    const stream = await caller.stream('subscribeToTask', { tenant: '', id: task.id }, CALL);
    expect(await stream.next()).toMatchObject({ value: { event: { kind: 'task', task: { id: task.id } } } });
    const canceled = await caller.unary('cancelTask', { tenant: '', id: task.id }, CALL);
    expect(canceled.status.state).toBe('canceled');
    const rest = await collected(stream);
    expect(rest.at(-1)).toMatchObject({ event: { kind: 'status', status: { state: 'canceled' } } });
    const error = await errorOf(caller.unary('cancelTask', { tenant: '', id: task.id }, CALL));
    expect(error.code).toBe('TASK_NOT_CANCELABLE');
  });

  it('lists tasks page by page, where the version can', async () => {
    if (way.version === '0.3') return;
    const { caller } = await connected(way);
    const tasks = [await sent(caller, 'one'), await sent(caller, 'two')];
    const input = { tenant: '', pageSize: 1, includeArtifacts: true, state: 'completed' as const, statusSince: 0 };
    const first = await caller.unary('listTasks', input, CALL);
    expect(first).toMatchObject({ totalSize: 2, pageSize: 1, includeArtifacts: true });
    const second = await caller.unary('listTasks', { ...input, pageToken: first.nextPageToken }, CALL);
    expect(second.nextPageToken).toBe('');
    const listed = [...first.tasks, ...second.tasks].map(({ id }) => id).sort();
    expect(listed).toEqual(tasks.map(({ id }) => id).sort());
  });

  it('refuses with codes', async () => {
    const { caller } = await connected(way);
    const ref = { tenant: '', taskId: 't', id: 'c' };
    const config = { tenant: '', config: { url: 'https://h.test', taskId: 't' } };
    const lost = { ...send('x'), message: { ...send('x').message, taskId: 'nobody' } };
    const codes = await Promise.all(
      [
        caller.unary('getTask', { tenant: '', id: 'nobody' }, CALL),
        caller.stream('subscribeToTask', { tenant: '', id: 'nobody' }, CALL).then(collected),
        caller.unary('sendMessage', lost, CALL),
        caller.unary('createPushConfig', config, CALL),
        caller.unary('getPushConfig', ref, CALL),
        caller.unary('listPushConfigs', { tenant: '', taskId: 't' }, CALL),
        caller.unary('deletePushConfig', ref, CALL),
        caller.unary('getExtendedCard', { tenant: '' }, CALL),
      ].map(async (call) => (await errorOf(call)).code),
    );
    const noCard = way.version === '1.0' ? 'UNSUPPORTED_OPERATION' : 'EXTENDED_AGENT_CARD_NOT_CONFIGURED';
    expect(codes).toEqual([...Array(7).fill('TASK_NOT_FOUND'), noCard]);
  });
});

it.each(['merged', '1.0', '0.3'] as const)('its card of the shape %s is read without complaint', async (shape) => {
  const { server } = startServer(agent);
  await server.listen({ port: 0 });
  const headers: Record<string, string> = shape === 'merged' ? {} : { 'a2a-version': shape };
  const response = await fetch(`${server.url}/.well-known/agent-card.json`, { headers });
  const { card, complaints } = decodeAgentCard(await response.json());
  expect(complaints).toEqual([]);
  expect(card.name).toBe('writer');
  const versions = new Set(card.interfaces.map(({ protocolVersion }) => protocolVersion));
  expect([...versions]).toEqual(shape === '0.3' ? ['0.3'] : ['1.0', '0.3']);
});
