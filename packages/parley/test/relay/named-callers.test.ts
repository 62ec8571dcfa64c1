import { A2AClient, isTask, memory, type Task, textOf } from 'parley-a2a';
import { apiKeys, hashKey } from 'parley-a2a/auth';
import type { Store } from 'parley-a2a/ports';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRelay } from '../../../../examples/relay/relay.ts';
import { eventually } from '../support/eventually.ts';
import { heard } from './support/participant.ts';

const SUBJECTS = ['ann', 'bob', 'eve', 'cyd', 'relay'] as const;
type Subject = (typeof SUBJECTS)[number];
const keyOf = (subject: Subject) => ({ 'x-api-key': `a-key-of-${subject}-that-is-long-enough` });

/** A relay whose callers prove who they are. */
async function startNamed(store: Store = memory()) {
  const keys = await Promise.all(
    SUBJECTS.map(async (subject) => ({
      id: subject,
      hash: await hashKey(keyOf(subject)['x-api-key']),
      subject,
      scopes: subject === 'relay' ? ['parley:operator'] : [],
    })),
  );
  const relay = createRelay({ store, callers: { auth: apiKeys({ keys }), operator: keyOf('relay') } });
  onTestFinished(() => relay.close());
  await relay.start();
  const clientOf = (subject: Subject) =>
    new A2AClient('http://localhost', {
      headers: keyOf(subject),
      fetch: (input, init) => relay.fetch(new Request(input, init)),
    });
  return { relay, clientOf };
}

async function begin(client: A2AClient, text: string, contextId: string, partner?: unknown): Promise<Task> {
  const message = {
    parts: [text],
    contextId,
    metadata: partner === undefined ? undefined : { partner: partner as string },
  };
  const task = await client.sendMessage({ message }, { returnImmediately: true });
  if (!isTask(task)) throw new Error('A task was expected');
  return task;
}

const stateOf =
  (client: A2AClient, { id }: Task) =>
  async () =>
    (await client.getTask(id)).status.state;
const saidTo =
  (client: A2AClient, { id }: Task) =>
  async () =>
    textOf(heard(await client.getTask(id)));

/** Ann and Bob, who have met in a context of Ann's. */
async function met() {
  const started = await startNamed();
  const [ann, bob] = [started.clientOf('ann'), started.clientOf('bob')];
  const a = await begin(ann, 'one', 'tea', 'bob');
  await eventually(async () => (await ann.getTask(a.id)).status.message).toBeTruthy();
  const b = await begin(bob, 'here', 'tea');
  await eventually(saidTo(bob, b)).toBe('one');
  return { ...started, ann, bob, a, b };
}

describe('a relay that tells callers apart', () => {
  it('lets in who is named by the first one, and mirrors as ever', async () => {
    const { ann, bob, a, b } = await met();
    await bob.sendMessage('two', { taskId: b.id, returnImmediately: true });
    await eventually(saidTo(ann, a)).toBe('two');
    await ann.sendMessage('three', { taskId: a.id, returnImmediately: true });
    await eventually(saidTo(bob, b)).toBe('three');
  });

  it('keeps a pair of the same id apart that another caller has', async () => {
    const { clientOf, bob, b } = await met();
    const [eve, cyd] = [clientOf('eve'), clientOf('cyd')];
    const other = await begin(eve, 'psst', 'tea', 'cyd');
    await eventually(async () => (await eve.getTask(other.id)).status.message).toBeTruthy();
    const joined = await begin(cyd, 'yes?', 'tea');
    await eventually(saidTo(cyd, joined)).toBe('psst');
    await bob.sendMessage('for Ann alone', { taskId: b.id, returnImmediately: true });
    expect(JSON.stringify(await eve.listTasks({}))).not.toContain('for Ann alone');
    expect(JSON.stringify(await eve.listTasks({}))).not.toContain('"one"');
    await expect(eve.getTask(b.id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    // One pair ends, the other goes on.
    await eve.cancelTask(other.id);
    await eventually(stateOf(cyd, joined)).toBe('canceled');
    expect(await stateOf(bob, b)()).toBe('working');
  });

  it('ends the task of the one when the other leaves', async () => {
    const { ann, bob, a, b } = await met();
    await ann.cancelTask(a.id);
    await eventually(stateOf(bob, b)).toBe('canceled');
  });

  it.each([undefined, '', 'ann', 5])('asks for the other one who is not named: %j', async (partner) => {
    const { clientOf } = await startNamed();
    const ann = clientOf('ann');
    const task = await begin(ann, 'one', 'tea', partner);
    await eventually(stateOf(ann, task)).toBe('rejected');
    expect(textOf((await ann.getTask(task.id)).status.message as never)).toContain('message.metadata.partner');
  });

  it('lets nobody in who is named by the second one, and shows its pages to nobody', async () => {
    const { clientOf, relay, bob, b } = await met();
    const message = { parts: ['two'], taskId: b.id, metadata: { partner: 'eve' } };
    await bob.sendMessage({ message }, { returnImmediately: true });
    const eve = clientOf('eve');
    expect(await eve.listTasks({})).toMatchObject({ totalSize: 0 });
    await expect(eve.getTask(b.id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    for (const path of ['/pairs/tea', '/pairs/tea/events']) {
      expect((await relay.fetch(new Request(`http://localhost${path}`))).status).toBe(401);
    }
    expect(await (await relay.fetch(new Request('http://localhost/'))).text()).not.toContain('tea');
  });
});
