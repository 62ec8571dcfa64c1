import { memory } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { textOfTask } from '../../support/frames.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { doomedServer } from '../../support/nodes/crash.ts';
import { crashAgent } from '../../support/nodes/crash-agent.ts';
import { otherCaller, sharedNodes } from '../../support/other-caller.ts';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { tempFile } from '../../support/temp-folder.ts';

const KEY = { 'idempotency-key': '7d1f-key' };
const HOUR = 3_600_000;

describe('one key', () => {
  it('is another one for each agent [rule:idempotency.scope]', async () => {
    const { peer } = startServer([agentOf(() => 'of one'), agentOf(() => 'of two', { name: 'two' })]);
    const params = sendParams('go');
    const one = await peer.call('SendMessage', params, KEY);
    const two = await peer.at('/a2a/agents/two').call('SendMessage', params, KEY);
    expect(textOfTask(one.task)).toBe('of one');
    expect(textOfTask(two.task)).toBe('of two');
    expect((await peer.call('SendMessage', params, KEY)).task.id).toBe(one.task.id);
  });

  it('is another one for each tenant [rule:idempotency.scope]', async () => {
    const { peer } = startServer(
      agentOf(() => 'done'),
      { tenants: ['acme', 'zenith'] },
    );
    const message = sendParams('go');
    const ids = new Set<string>();
    for (const tenant of [undefined, 'acme', 'zenith', undefined, 'acme', 'zenith']) {
      const params = tenant === undefined ? message : { ...message, tenant };
      ids.add((await peer.call('SendMessage', params, KEY)).task.id);
    }
    expect(ids.size).toBe(3);
  });

  it('is another one for each caller, also with another body [rule:idempotency.scope]', async () => {
    const nodes = sharedNodes();
    const agent = agentOf((task) => `${task.user.subject || 'nobody'}: ${task.text}`);
    const ann = await otherCaller(agent, nodes, 'ann');
    const bob = await otherCaller(agent, nodes, 'bob');
    const { peer } = startServer(agent, nodes);
    const ofAnn = await ann.send('from Ann', { messageId: 'm-1' }, '7d1f-key');
    const ofBob = await bob.send('from Bob', { messageId: 'm-1' }, '7d1f-key');
    const { task } = await peer.call('SendMessage', sendParams('from nobody', { messageId: 'm-1' }), KEY);
    expect(textOfTask(task)).toBe('nobody: from nobody');
    const ids = [ofAnn, ofBob].map((answer) => ('id' in answer ? answer.id : ''));
    expect(new Set([...ids, task.id]).size).toBe(3);
    expect(await ann.send('from Ann', { messageId: 'm-1' }, '7d1f-key')).toEqual(ofAnn);
  });
});

describe('a key lives', () => {
  it('for 24 hours [rule:idempotency.durable]', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const { peer } = startServer(
      agentOf(() => `run ${++runs}`),
      { clock, store: memory({ now: clock.now }), limits: { heartbeatInterval: HOUR } },
    );
    const params = sendParams('go');
    const first = await peer.call('SendMessage', params, KEY);
    await clock.advance(24 * HOUR - 1);
    expect(await peer.call('SendMessage', params, KEY)).toEqual(first);
    await clock.advance(2);
    const later = await peer.call('SendMessage', params, KEY);
    expect(later.task.id).not.toBe(first.task.id);
    expect(textOfTask(later.task)).toBe('run 2');
    expect(await peer.call('SendMessage', params, KEY)).toEqual(later);
  });

  it('for 24 hours in a file, across restarts [rule:idempotency.durable]', async () => {
    const file = tempFile();
    const clock = new ManualClock();
    let runs = 0;
    const start = () =>
      startServer(
        agentOf(() => `run ${++runs}`),
        { clock, store: sqlite(file, { now: clock.now }) },
      );
    const params = sendParams('go');
    let { server, peer } = start();
    const first = await peer.call('SendMessage', params, KEY);
    for (let hour = 6; hour < 24; hour += 6) {
      await server.close();
      await clock.advance(6 * HOUR);
      ({ server, peer } = start());
      expect(await peer.call('SendMessage', params, KEY)).toEqual(first);
      expect((await peer.error('SendMessage', sendParams('other'), KEY)).code).toBe(-32602);
    }
    await clock.advance(6 * HOUR + 1);
    expect(textOfTask((await peer.call('SendMessage', params, KEY)).task)).toBe('run 2');
  });

  it('through a crash, with the task that it led to [rule:idempotency.durable]', async () => {
    const file = tempFile();
    const doomed = await doomedServer(file);
    const running = sendParams('hang');
    const stream = await doomed.peer.open('SendStreamingMessage', running, KEY);
    const { id } = (await stream.next())?.result.task ?? {};
    const finished = sendParams('something');
    const other = { 'idempotency-key': 'finished' };
    const first = await doomed.peer.call('SendMessage', finished, other);
    const greeting = sendParams('reply');
    const greeted = await doomed.peer.call('SendMessage', greeting, { 'idempotency-key': 'greeting' });
    await doomed.kill();

    const texts: string[] = [];
    const { peer } = startServer(
      crashAgent((text) => texts.push(text)),
      { store: sqlite(file) },
    );
    const { task } = await peer.call('SendMessage', running, KEY);
    expect(task.id).toBe(id);
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(await peer.call('SendMessage', finished, other)).toEqual(first);
    expect(await peer.call('SendMessage', greeting, { 'idempotency-key': 'greeting' })).toEqual(greeted);
    expect((await peer.error('SendMessage', sendParams('another'), KEY)).code).toBe(-32602);
    expect(texts).toEqual([]);
    expect((await peer.call('ListTasks', {})).totalSize).toBe(2);
  });
});
