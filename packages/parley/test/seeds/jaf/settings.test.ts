import type { Agent, TaskContext } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jaf } from '../../../src/dialects/jaf/index.ts';
import type { Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { type JafPeer, said, sending, serveJaf } from './peer.ts';

/** What a run is told of how it is to be done. */
function facts(task: TaskContext): Wire {
  const { maxTurns, priority, chain } = task;
  return { maxTurns, priority, trace: chain?.trace, left: task.deadline.getTime() - Date.now() };
}

const teller = agentOf((task) => JSON.stringify(facts(task)), { name: 'teller' });
const told = async (peer: JafPeer, params: Wire, headers?: Record<string, string>) =>
  JSON.parse((await peer.result('message/send', params, headers)).message.parts[0].text);

describe('what a request of JAF says of its run takes effect (S1.5)', () => {
  it('maxTurns and priority reach the agent, from the configuration, the metadata and the headers', async () => {
    const { peer } = await serveJaf(teller);
    expect(await told(peer, sending('x'))).toMatchObject({ priority: 'normal' });
    const configuration = { maxTurns: 10, timeout: 30_000, priority: 'low' };
    expect(await told(peer, sending('x', {}, configuration))).toMatchObject({ maxTurns: 10, priority: 'low' });
    const metadata = { priority: 'high' };
    const headers = { 'X-A2A-Priority': 'low' };
    expect(await told(peer, sending('x', { metadata }), headers)).toMatchObject({ priority: 'high' });
    expect(await told(peer, sending('x', { metadata }, configuration), headers)).toMatchObject({ priority: 'low' });
    expect(await told(peer, sending('x'), headers)).toMatchObject({ priority: 'low' });
    expect(await told(peer, sending('x', { metadata: { priority: 'whenever' } }))).toMatchObject({
      priority: 'normal',
    });
  });

  it('timeout is the deadline of the run, at most 300 seconds', async () => {
    const { peer } = await serveJaf([agentOf((task) => (task.text === 'hang' ? hang(task) : teller.run(task)))]);
    const { left } = await told(peer, sending('x'), { 'X-A2A-Timeout': '60000' });
    expect(left).toBeGreaterThan(30_000);
    expect(left).toBeLessThanOrEqual(60_000);
    for (const timeout of [900_000, 1e12]) {
      expect((await told(peer, sending('x', {}, { timeout }))).left).toBeLessThanOrEqual(300_000);
      expect((await told(peer, sending('x'), { 'X-A2A-Timeout': String(timeout) })).left).toBeLessThanOrEqual(300_000);
    }
    const late = await peer.error('message/send', sending('hang'), { 'X-A2A-Timeout': '40' });
    expect(late).toMatchObject({
      code: -32006,
      data: { errorType: 'Timeout', reason: 'run-timeout', state: 'failed' },
    });
    const stored = await peer.result('tasks/get', { id: late.data.taskId });
    expect(stored.status).toMatchObject({ state: 'failed', error: { code: -32006 } });
  });

  it('what makes no sense in the headers is refused by their name', async () => {
    const { peer } = await serveJaf(teller);
    const refused = async (name: string, value: string) =>
      (await peer.error('message/send', sending('x'), { [name]: value })).message;
    expect(await refused('X-A2A-Priority', 'urgent')).toBe(
      'Invalid parameters: X-A2A-Priority must be one of low, normal, high',
    );
    expect(await refused('X-A2A-Timeout', 'soon')).toContain('X-A2A-Timeout must be a number of milliseconds');
    const sendSettings = jaf.quirks?.sendSettings;
    expect(sendSettings?.(() => undefined)).toEqual({ priority: undefined, timeout: undefined, trace: undefined });
  });

  it('priority decides which waiting run begins first', async () => {
    const open = gate();
    const order: string[] = [];
    const slow = agentOf(async (task) => {
      order.push(task.text);
      if (task.text === 'first') await open.promise;
      return task.text;
    });
    const { peer } = await serveJaf(slow, { limits: { runs: 1 } });
    const sent = [peer.result('message/send', sending('first'))];
    await expect.poll(() => order).toEqual(['first']);
    const ids: string[] = [];
    for (const [text, priority] of [
      ['low', 'low'],
      ['normal', 'normal'],
      ['high', 'high'],
    ] as const) {
      const frames = peer.frames('message/stream', sending(text, {}, { priority }));
      const { result } = (await frames.next()).value?.response ?? {};
      expect(result.status.state).toBe('submitted');
      ids.push(result.taskId);
      sent.push(frames.return(undefined));
    }
    open.resolve();
    await Promise.all(sent);
    await expect.poll(() => order).toEqual(['first', 'high', 'normal', 'low']);
  });
});

describe('what a request of JAF says goes on to the agents behind', () => {
  /** Two agents of one server: the second is called by the first. */
  async function pair(runs = 0): Promise<JafPeer> {
    const front: Agent = agentOf(
      async (task) => {
        const child = await task.call(teller, 'x', { maxTurns: task.text === 'less' ? 3 : 50 }).task;
        return child.artifacts[0]?.parts ?? [];
      },
      { name: 'front' },
    );
    const { peer } = await serveJaf([front, teller], { limits: { runs: runs } });
    return peer;
  }

  it('the smaller number of turns, the priority, the deadline and the trace', async () => {
    const peer = await pair();
    const configuration = { maxTurns: 10, timeout: 30_000, priority: 'high' };
    const headers = { 'X-A2A-Trace-Id': 'trace-12345' };
    const behind = await told(peer, sending('x', {}, configuration), headers);
    expect(behind).toMatchObject({ maxTurns: 10, priority: 'high', trace: 'trace-12345' });
    expect(behind.left).toBeLessThanOrEqual(30_000);
    expect(await told(peer, sending('less', {}, configuration), headers)).toMatchObject({ maxTurns: 3 });
    const { message, taskId } = await peer.result('message/send', sending('x'));
    expect(JSON.parse(message.parts[0].text).trace).toBe(taskId);
  });

  it('and an agent that is called never waits for its caller to end', async () => {
    const peer = await pair(1);
    expect(await told(peer, sending('x', {}, { maxTurns: 2, timeout: 20_000 }))).toMatchObject({ maxTurns: 2 });
  });
});

it('joins a send that is repeated in another trace', async () => {
  const { peer } = await serveJaf(teller);
  const params = sending('x');
  const send = (trace: string) =>
    peer.result('message/send', params, { 'Idempotency-Key': 'key-1', 'X-A2A-Trace-Id': trace });
  expect((await send('one')).taskId).toBe((await send('two')).taskId);
});

it('keeps what the request said of a run that is taken up after a restart', async () => {
  const { memory } = await import('../../../src/stores/memory.ts');
  const store = memory();
  const seen: Wire[] = [];
  const agent = agentOf(
    async (task) => {
      seen.push(facts(task));
      if (seen.length === 1) return hang(task);
      return 'Done';
    },
    { resumable: true },
  );
  const { A2AServer } = await import('parley-a2a');
  const options = {
    agents: [agent],
    store,
    drainTimeout: 0,
    mounts: [{ path: '/a2a', dialect: 'jaf' }],
  } as const;
  const ask = async (server: InstanceType<typeof A2AServer>, method: string, params: Wire) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json', 'x-a2a-trace-id': 'trace-9' };
    return server.fetch(new Request('http://localhost/a2a', { method: 'POST', headers, body }));
  };
  const first = new A2AServer(options);
  const message = said('go');
  const response = await ask(first, 'message/stream', { message, configuration: { maxTurns: 7, priority: 'high' } });
  await expect.poll(() => seen.length).toBe(1);
  await response.body?.cancel();
  await first.close();
  const second = new A2AServer(options);
  onTestFinished(() => second.close());
  await ask(second, 'tasks/get', { id: 'none' });
  await expect.poll(() => seen.length).toBe(2);
  expect(seen[1]).toMatchObject({ maxTurns: 7, priority: 'high' });
});
