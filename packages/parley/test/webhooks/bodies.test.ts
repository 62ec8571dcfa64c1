import { type PushNotification, verifyPush } from 'parley-a2a/push';
import { describe, expect, it } from 'vitest';
import { notification, now, SECRET } from './support/notifications.ts';

async function read(value: unknown): Promise<PushNotification> {
  return verifyPush(await notification({ body: JSON.stringify(value) }), { secret: SECRET, now });
}

const timestamp = '2027-01-15T08:00:00.000Z';

describe('the bodies of webhooks', () => {
  it('are read in 1.0: each member of a StreamResponse', async () => {
    const status = { state: 'TASK_STATE_COMPLETED', timestamp };
    const artifact = { artifactId: 'a', parts: [{ text: 'hi' }] };
    expect(await read({ task: { id: 't', contextId: 'c', status } })).toMatchObject({
      dialect: '1.0',
      taskId: 't',
      event: { kind: 'task', task: { status: { state: 'completed' } } },
    });
    expect(await read({ statusUpdate: { taskId: 't', contextId: 'c', status } })).toMatchObject({
      dialect: '1.0',
      taskId: 't',
      event: { kind: 'status', status: { state: 'completed' } },
    });
    expect(await read({ artifactUpdate: { taskId: 't', contextId: 'c', artifact, lastChunk: true } })).toMatchObject({
      dialect: '1.0',
      taskId: 't',
      event: { kind: 'artifact', lastChunk: true, artifact: { parts: [{ kind: 'text', text: 'hi' }] } },
    });
    const message = { messageId: 'm', role: 'ROLE_AGENT', taskId: 't', parts: [{ text: 'hi' }] };
    expect(await read({ message })).toMatchObject({ dialect: '1.0', taskId: 't', event: { kind: 'message' } });
  });

  it('are read in 0.3: bare objects with `kind`', async () => {
    const status = { state: 'input-required', timestamp };
    expect(await read({ kind: 'task', id: 't', contextId: 'c', status })).toMatchObject({
      dialect: '0.3',
      taskId: 't',
      event: { kind: 'task', task: { status: { state: 'input-required' } } },
    });
    expect(await read({ kind: 'status-update', taskId: 't', contextId: 'c', status, final: true })).toMatchObject({
      dialect: '0.3',
      event: { kind: 'status' },
    });
    const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'hi' }] };
    expect(await read({ kind: 'artifact-update', taskId: 't', contextId: 'c', artifact, append: true })).toMatchObject({
      dialect: '0.3',
      event: { kind: 'artifact', append: true },
    });
  });

  it('are read in the flat form of the draft (S2.11)', async () => {
    const status = { state: 'completed', timestamp: '2026-01-17T12:00:00Z' };
    expect(await read({ taskId: 'abc-123', status })).toMatchObject({
      dialect: 'v1_draft',
      taskId: 'abc-123',
      event: { kind: 'status', status: { state: 'completed' } },
    });
    const artifact = { artifactId: 'a', parts: [{ text: 'hi' }] };
    expect(await read({ taskId: 'abc-123', status, artifact })).toMatchObject({
      dialect: 'v1_draft',
      taskId: 'abc-123',
      event: { kind: 'artifact', append: false, lastChunk: true },
    });
  });

  it('are read in 0.3 with the wrappers of its proto', async () => {
    const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'hi' }] };
    for (const [wrapper, inner] of [
      ['statusUpdate', { taskId: 't', contextId: 'c', status: { state: 'working', timestamp } }],
      ['artifactUpdate', { taskId: 't', contextId: 'c', artifact }],
      ['message', { messageId: 'm', role: 'agent', taskId: 't', parts: artifact.parts }],
    ] as const) {
      expect(await read({ [wrapper]: inner })).toMatchObject({ dialect: '0.3', taskId: 't' });
    }
  });

  it('with states that nobody knows are read all the same', async () => {
    const status = { state: 'TASK_STATE_PONDERING', timestamp };
    expect(await read({ statusUpdate: { taskId: 't', contextId: 'c', status } })).toMatchObject({
      event: { status: { state: 'unknown' } },
    });
  });

  it('are read as a task with nothing around it', async () => {
    const task = { id: 't', contextId: 'c' };
    expect(await read({ ...task, status: { state: 'TASK_STATE_FAILED', timestamp } })).toMatchObject({
      dialect: '1.0',
    });
    expect(await read({ ...task, status: { state: 'failed', timestamp } })).toMatchObject({ dialect: '0.3' });
  });

  it.each([
    [{ statusUpdate: { taskId: 't', contextId: 'c' } }, 'status'],
    [{ kind: 'gossip' }, 'must'],
    [{ taskId: 7, status: { state: 'completed' } }, 'taskId'],
    [{ jsonrpc: '2.0', result: {} }, 'must have one of task, message, statusUpdate, artifactUpdate'],
  ])('are refused by the member that is wrong: %j', async (body, problem) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'INVALID_BODY', message: expect.stringContaining(problem) });
  });
});
