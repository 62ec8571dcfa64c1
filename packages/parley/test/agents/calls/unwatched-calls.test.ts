import {
  A2AServer,
  type Agent,
  type AgentDefinition,
  defineAgent,
  fail,
  inputRequired,
  reject,
  textOf,
} from 'parley-a2a';
import { TestClock } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { RpcPeer } from '../../support/rpc.ts';
import { gate, hang } from '../../support/script.ts';

interface Line {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const FAILED = 'A call of another agent failed, and nobody waited for it';

function agent(name: string, run: AgentDefinition['run'], more: Partial<AgentDefinition> = {}): Agent {
  return defineAgent({ name, description: `The ${name}`, version: '1.0.0', ...more, run });
}

function start(agents: readonly Agent[], clock?: TestClock) {
  const logged: Line[] = [];
  const warn = (message: string, details: Line['details']) => void logged.push({ message, details });
  const server = new A2AServer({ agents, log: { error: () => {}, warn }, drainTimeout: 0, ...(clock && { clock }) });
  onTestFinished(() => server.close());
  return { server, logged, peer: new RpcPeer(server.fetch, 'http://calls.test/a2a') };
}

/** The same server, as if it were another one. */
const remotely = (server: () => A2AServer) => ({
  client: {
    fetch: ((input, init) => server().fetch(new Request(input, init))) as typeof fetch,
    retry: false,
    reconnect: false,
  } as const,
});

/** The same response, whose connection is lost after the first piece of a stream. */
function cutAfterFirst(response: Response): Response {
  if (!response.headers.get('content-type')?.includes('event-stream')) return response;
  const reader = response.body?.getReader();
  let pieces = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pieces += 1;
        if (pieces === 1) controller.enqueue((await reader?.read())?.value);
        else controller.error(new TypeError('terminated'));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

const lines = (logged: readonly Line[]) => logged.map(({ message, details }) => ({ message, ...details }));
const pause = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('a child that ends badly, and whose call nobody watches', () => {
  const outcomes: readonly [string, AgentDefinition['run']][] = [
    ['failed', () => fail('the secret reason')],
    ['failed', () => Promise.reject(new Error('the secret reason'))],
    [
      'rejected',
      () => {
        throw reject('the secret reason');
      },
    ],
  ];

  it.each(outcomes)('is logged as %s once its caller has ended, and once: in this server', async (state, run) => {
    const child = agent('child', run);
    const parent = agent('parent', (task) => {
      void task.call(child, 'go');
      return 'done';
    });
    const { peer, logged } = start([parent, child]);
    await peer.send('go');
    await eventually(() => lines(logged)).toMatchObject([
      { message: FAILED, agent: 'parent', state, child: expect.any(String), taskId: expect.any(String) },
    ]);
    await pause();
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain('secret');
  });

  it('is logged where it ends long after its caller, in another server', async () => {
    const finish = gate();
    const child = agent('child', async () => {
      await finish.promise;
      return fail('broken');
    });
    const other = start([child]);
    const parent = agent('parent', (task) => {
      void task.call(
        'http://calls.test/a2a',
        'go',
        remotely(() => other.server),
      );
      return 'done';
    });
    const { peer, logged } = start([parent]);
    await peer.send('go');
    await pause();
    expect(logged).toEqual([]);
    finish.resolve();
    await eventually(() => lines(logged)).toMatchObject([{ message: FAILED, state: 'failed' }]);
  });

  it('is logged where nothing but its id was read', async () => {
    const child = agent('child', () => fail('broken'));
    const parent = agent('parent', async (task) => `${await task.call(child, 'go').id}`);
    const { peer, logged } = start([parent, child]);
    await peer.send('go');
    await eventually(() => lines(logged)).toMatchObject([{ message: FAILED, state: 'failed' }]);
  });

  it('is not logged where the call was awaited or read, or where the child asks', async () => {
    const child = agent('child', () => fail('broken'));
    const asking = agent('asking', () => inputRequired('Which one?'));
    const parent = agent('parent', async (task) => {
      await task.call(child, 'awaited');
      for await (const _ of task.call(child, 'read'));
      for await (const _ of task.call(child, 'left')) break;
      void task.call(asking, 'go');
      return 'done';
    });
    const { peer, logged } = start([parent, child, asking]);
    await peer.send('go');
    await pause();
    expect(logged).toEqual([]);
  });

  it('is logged where its stream is lost for good', async () => {
    const child = agent('child', async function* (task) {
      yield 'begun';
      await hang(task);
    });
    const other = start([child]);
    const cut: typeof fetch = async (input, init) => cutAfterFirst(await other.server.fetch(new Request(input, init)));
    const parent = agent('parent', (task) => {
      void task.call('http://calls.test/a2a', 'go', { client: { fetch: cut, reconnect: false } });
      return 'done';
    });
    const { peer, logged } = start([parent]);
    await peer.send('go');
    await eventually(() => lines(logged)).toMatchObject([
      { message: FAILED, child: expect.any(String), error: { code: 'STREAM_INTERRUPTED' } },
    ]);
  });

  it('is no longer followed once its deadline has passed, and logged as it was then', async () => {
    const clock = new TestClock();
    const other = start([agent('child', (task) => hang(task))]);
    const parent = agent('parent', (task) => {
      void task.call('http://calls.test/a2a', 'go', { ...remotely(() => other.server), timeout: 1000 });
      return 'done';
    });
    const { peer, logged } = start([parent], clock);
    await peer.send('go');
    await pause();
    await clock.advance(60_000);
    await eventually(() => lines(logged)).toMatchObject([{ message: FAILED, state: 'working' }]);
  });

  it('is neither followed nor logged by a server that is closed', async () => {
    const other = start([agent('child', (task) => hang(task))]);
    const parent = agent('parent', (task) => {
      void task.call(
        'http://calls.test/a2a',
        'go',
        remotely(() => other.server),
      );
      return 'done';
    });
    const { peer, logged, server } = start([parent]);
    await peer.send('go');
    await server.close();
    await other.server.close();
    await pause();
    expect(logged).toEqual([]);
  });
});

describe('a call that is begun after its run', () => {
  const later = (begin: (task: Parameters<NonNullable<AgentDefinition['run']>>[0]) => unknown) =>
    agent('parent', (task) => {
      setTimeout(() => void begin(task), 10);
      return 'done';
    });

  it.each([false, true])('is sent, and awaiting it is its end; resumable: %s', async (resumable) => {
    const said: string[] = [];
    const child = agent('child', (task) => `heard ${task.text}`);
    const parent = defineAgent({
      ...later(async (task) => said.push(textOf(await task.call(child, 'late')))),
      resumable,
    });
    const { peer, logged } = start([parent, child]);
    await peer.send('go');
    await eventually(() => said).toEqual(['heard late']);
    expect(logged).toEqual([]);
  });

  it('is logged where it fails', async () => {
    const child = agent('child', () => fail('broken'));
    const { peer, logged } = start([later((task) => task.call(child, 'late').id), child]);
    await peer.send('go');
    await eventually(() => lines(logged)).toMatchObject([{ message: FAILED, state: 'failed' }]);
  });

  it('is logged where it cannot be sent', async () => {
    const { peer, logged } = start([later((task) => void task.call('no address', 'late'))]);
    await peer.send('go');
    await eventually(() => lines(logged)).toMatchObject([{ message: FAILED, error: expect.anything() }]);
  });

  it('is logged after a canceled run, which begins nothing any more', async () => {
    const child = agent('child', () => 'done');
    const parent = agent('parent', async (task) => {
      task.signal.addEventListener('abort', () => setTimeout(() => void task.call(child, 'late'), 10));
      await hang(task);
    });
    const { peer, logged } = start([parent, child]);
    const { task } = await peer.call('SendMessage', {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] },
      configuration: { returnImmediately: true },
    });
    await peer.call('CancelTask', { id: task.id });
    await eventually(() => lines(logged)).toMatchObject([{ message: FAILED, error: expect.anything() }]);
  });
});
