import { inspect } from 'node:util';
import { A2AServer, defineAgent } from 'parley-a2a';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { entryOf } from '../../src/server/operator/console-log.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const SECRET = 'open "sesame" now';

describe('what the log gets of a run that was told a secret', () => {
  it('is its error without the secret, and the caller gets a reference to it', async () => {
    const agent = agentOf(async (task) => {
      const password = await task.ask({ prompt: 'The password?', sensitive: true });
      task.warn(`Trying ${password}`, { password, deep: { tried: [password] } });
      throw Object.assign(
        new Error(`login with ${password} refused`, { cause: new Error(JSON.stringify({ password })) }),
        {
          request: { password },
        },
      );
    });
    const { peer, logged } = startServer(agent);
    const { id } = await peer.send('go');
    const { status } = await peer.send(SECRET, { taskId: id });
    expect(status.state).toBe('TASK_STATE_FAILED');
    const { reference } = status.message.metadata;
    expect(status.message.parts[0].text).toBe(`The agent failed. Reference: ${reference}`);
    const shown = inspect(logged, { depth: 20 });
    expect(shown).toContain(reference);
    expect(shown).toContain('login with (not shown) refused');
    expect(shown).not.toContain('sesame');
  });

  it.each<[string, () => unknown]>([
    ['has a member without a text', () => Object.assign(new Error('x'), { query: Object.create(null) })],
    ['is nothing that has a text', () => Object.create(null)],
  ])('never keeps the task from ending, also where what was thrown %s', async (_, made) => {
    const agent = agentOf(async (task) => {
      await task.ask({ prompt: 'The password?', sensitive: true });
      throw made();
    });
    const { peer, logged } = startServer(agent);
    const { id } = await peer.send('go');
    expect((await peer.send(SECRET, { taskId: id })).status.state).toBe('TASK_STATE_FAILED');
    expect(logged.map(({ message }) => message)).toEqual(['An agent failed']);
  });

  it('is the error as it is where nothing of it is secret', async () => {
    const error = new RangeError('out of range');
    const agent = agentOf(async (task) => {
      await task.requireAuth();
      throw error;
    });
    const { peer, logged } = startServer(agent);
    const { id } = await peer.send('go');
    await peer.send(SECRET, { taskId: id });
    expect(logged.at(-1).details.error).toBe(error);
  });
});

const INNER = 'inner: password=hunter2 at db:5432';

/** Every way in which an error of an agent may come to light. */
const FAILURES = {
  'a thrown error': agentOf(() => {
    throw new Error(INNER);
  }),
  'a rejected run': agentOf(() => Promise.reject(new Error(INNER))),
  'a generator': agentOf(async function* () {
    yield 'begun';
    throw new Error(INNER);
  }),
  'a step': agentOf(async (task) => {
    await task.step('work', () => Promise.reject(new Error(INNER)));
  }),
  'something else than an error': agentOf(() => Promise.reject(new Map([['inner', INNER]]))),
  'an output that is none': agentOf(
    () =>
      ({
        kind: 'data',
        data: {
          toJSON: () => {
            throw new Error(INNER);
          },
        },
      }) as never,
  ),
  'a sub-agent that is not there': agentOf(async (task) => {
    const fetch = () => Promise.reject(new Error(INNER));
    await task.call('https://agents.example.com/a2a', 'go', { client: { fetch } });
  }),
};

it.each(Object.entries(FAILURES))('%s tells callers no more than a reference to the log', async (_name, agent) => {
  const { peer, logged } = startServer(agent);
  const task = await peer.send('go', {}, undefined);
  const again = await peer.call('GetTask', { id: task.id });
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(JSON.stringify([task, again])).not.toMatch(/hunter2|5432/);
  const { reference } = task.status.message.metadata;
  expect(task.status.message.parts[0].text).toContain(reference);
  expect(logged.some(({ details }) => details.reference === reference)).toBe(true);
});

describe('the log on the console', () => {
  it('is not broken by what callers send', () => {
    const forged = 'x\n[parley] All is well\r\u001b[2J\u2028\u202e';
    const error = new Error(forged, { cause: new Error(forged) });
    const entry = entryOf(`A request ${forged}`, { taskId: forged, [forged]: { deep: forged }, error });
    const lines = entry.split('\n');
    expect(lines.filter((line) => line.startsWith('[parley]'))).toHaveLength(1);
    expect(lines.slice(1).every((line) => line.startsWith('    '))).toBe(true);
    expect(entry.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  });

  it('writes what it cannot put into JSON', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(entryOf('Odd', { circle, big: 1n, none: undefined, error: 'just a text' })).toContain(
      '[parley] Odd circle=',
    );
  });

  it('writes what throws when it is read', () => {
    const thrower = () => {
      throw new Error('not to be read');
    };
    const unreadable = Object.defineProperty(new Error('the message'), 'stack', { get: thrower });
    expect(entryOf('Odd', { error: unreadable })).toBe('[parley] Odd\n    the message');
    expect(entryOf('Odd', { error: { toString: thrower, toJSON: thrower } })).toContain('[parley] Odd\n    Something');
    expect(entryOf('Odd', { fact: Object.assign(Object.create(null), { big: 1n }) })).toContain('fact=Something');
  });

  it('is where servers write without another', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => written.mockRestore());
    const failing = defineAgent({
      name: 'failing',
      description: 'Fails',
      version: '1.0.0',
      run: (task) => Promise.reject(new Error(task.text)),
    });
    const server = new A2AServer({ agents: [failing] });
    onTestFinished(() => server.close());
    const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'x\n[parley] forged' }] };
    const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    await server.handleJsonRpc(body);
    const [entry] = written.mock.calls.map(([text]) => String(text));
    expect(entry).toMatch(/^\[parley\] An agent failed reference="/);
    expect(entry?.match(/^\[parley\]/gm)).toHaveLength(1);
  });
});
