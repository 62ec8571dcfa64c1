import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FileHabits } from '../../src/dialects/file-encoding.ts';
import type { OperationInputs } from '../../src/model/operations.ts';
import { bytes, json, link, text } from '../../src/model/parts.ts';
import { isTask, type Part, type Task } from '../../src/model/task.ts';
import { lossy } from '../dialects/support/losses-v03.ts';
import { CALL, callerOf, collected, errorOf, WAYS, type Way } from './support/callers.ts';
import { officialServer } from './support/official-server.ts';

const PARTS: readonly Part[] = [
  text('hello'),
  bytes('abc', { mediaType: 'text/plain', filename: 'a.txt' }),
  link('https://f.test/a.pdf', { mediaType: 'application/pdf' }),
  json({ deep: [1, { two: null }] }),
];

function send(...parts: readonly Part[]): OperationInputs['sendMessage'] {
  return {
    tenant: '',
    message: { messageId: crypto.randomUUID(), role: 'user', parts },
    acceptedOutputModes: ['text/plain'],
    returnImmediately: false,
    historyLength: 5,
  };
}

/** What the versions can carry. The proto of 0.3.0 has no file names (reference: v03 §9). */
function carried({ version, binding }: Way): readonly Part[] {
  if (version === '1.0') return PARTS;
  const parts = PARTS.map(lossy.part);
  return binding === 'JSONRPC' ? parts : parts.map(withoutName);
}

function withoutName({ filename, ...part }: Part): Part {
  expect(filename === undefined || part.kind === 'bytes').toBe(true);
  return part;
}

// It prints every refusal.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

describe.each(WAYS)('the official server, in $version over $binding', (way) => {
  const connected = async () => {
    const url = `${await officialServer()}/${way.binding === 'JSONRPC' ? 'rpc' : 'rest'}`;
    // The SDK of JavaScript keeps to the proto.
    return callerOf(way, { fetch, url, files: new FileHabits({ write: 'once' }) });
  };

  it('gets every kind of part and says it back', async () => {
    const caller = await connected();
    const task = (await caller.unary('sendMessage', send(...PARTS), CALL)) as Task;
    expect(task.status.state).toBe('completed');
    expect(task.artifacts.flatMap(({ parts }) => parts).map(lossy.part)).toMatchObject(carried(way));
    const again = await caller.unary('getTask', { tenant: '', id: task.id, historyLength: 3 }, CALL);
    expect(again.id).toBe(task.id);
    expect(again.history).toHaveLength(1);
  });

  it('streams', async () => {
    const caller = await connected();
    const events = await collected(caller.stream('sendStreamingMessage', send(...PARTS), CALL));
    expect(events.map(({ event }) => event.kind)).toEqual(['task', ...PARTS.map(() => 'artifact'), 'status']);
    expect(events.at(-1)).toMatchObject({ event: { status: { state: 'completed' } } });
  });

  it('answers with a bare message', async () => {
    const caller = await connected();
    const reply = await caller.unary('sendMessage', send(text('just talk')), CALL);
    expect(isTask(reply)).toBe(false);
    expect(reply).toMatchObject({ messageId: 'm-reply', role: 'agent' });
  });

  it('returns at once, is followed and is canceled', async () => {
    const caller = await connected();
    const input = { ...send(text('wait')), returnImmediately: true };
    const task = (await caller.unary('sendMessage', input, CALL)) as Task;
    expect(task.status.state).toBe('submitted');
    const stream = await caller.stream('subscribeToTask', { tenant: '', id: task.id }, CALL);
    expect(await stream.next()).toMatchObject({ value: { event: { kind: 'task' } } });
    const canceled = await caller.unary('cancelTask', { tenant: '', id: task.id }, CALL);
    expect(canceled.status.state).toBe('canceled');
    await stream.return?.();
  });

  it('keeps push configs', async () => {
    const caller = await connected();
    const { id: taskId } = (await caller.unary('sendMessage', send(text('x')), CALL)) as Task;
    const config = {
      taskId,
      id: 'c-1',
      url: 'https://h.test/1',
      token: 'secret',
      authentication: { scheme: 'Bearer', credentials: 'y' },
    };
    expect(await caller.unary('createPushConfig', { tenant: '', config }, CALL)).toMatchObject(config);
    expect(await caller.unary('getPushConfig', { tenant: '', taskId, id: 'c-1' }, CALL)).toMatchObject(config);
    const page = await caller.unary('listPushConfigs', { tenant: '', taskId }, CALL);
    expect(page.configs).toMatchObject([config]);
    expect(await caller.unary('deletePushConfig', { tenant: '', taskId, id: 'c-1' }, CALL)).toBeUndefined();
    expect((await caller.unary('listPushConfigs', { tenant: '', taskId }, CALL)).configs).toEqual([]);
  });

  it('refuses with codes', async () => {
    const caller = await connected();
    const missing = await errorOf(caller.unary('getTask', { tenant: '', id: 'nobody' }, CALL));
    expect(missing.code).toBe('TASK_NOT_FOUND');
    const stream = await errorOf(caller.stream('subscribeToTask', { tenant: '', id: 'nobody' }, CALL).then(collected));
    expect(stream.code).toBe('TASK_NOT_FOUND');
  });
});
