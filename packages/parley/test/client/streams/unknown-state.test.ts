import { A2AClient, isTask } from 'parley-a2a';
import { expect, it } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { begins, brief, lost, readAll, scripted, taskWith, turns } from '../support/scripted.ts';

/** A server of 0.3 without streams, whose task is in these states, one look after the other; the last one stays. */
function serverOf(states: readonly string[]) {
  const left = [...states];
  const asked: string[] = [];
  const task = () => ({
    kind: 'task',
    id: 't',
    contextId: 'c',
    status: { state: left.length > 1 ? left.shift() : left[0] },
  });
  const answer: typeof fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.endsWith('/rpc')) {
      return Response.json({
        name: 'older',
        description: 'd',
        version: '1',
        protocolVersion: '0.3.0',
        url: 'http://agent.test/rpc',
        preferredTransport: 'JSONRPC',
        capabilities: { streaming: false },
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [],
      });
    }
    const body: Wire = await new Response(init?.body).json();
    asked.push(body.method);
    return Response.json({ jsonrpc: '2.0', id: body.id, result: task() });
  };
  const client = new A2AClient('http://agent.test', {
    fetch: answer,
    // Time passes as soon as somebody waits.
    timing: { now: () => 0, random: () => 0.5, after: later },
  });
  return { client, asked };
}

function later(milliseconds: number, callback: () => void): () => void {
  if (milliseconds >= 10_000) return () => {};
  const timer = setImmediate(callback);
  return () => clearImmediate(timer);
}

it('a client stops asking where an agent cannot tell the state, and says so (S0.3) (S4.3)', async () => {
  const { client, asked } = serverOf(['working', 'working', 'unknown']);
  const task = await client.sendMessageStream('go').task;
  expect(task.status.state).toBe('unknown');
  expect(asked).toEqual(['message/send', 'tasks/get', 'tasks/get', 'tasks/get', 'tasks/get']);
  const answer = await serverOf(['unknown']).client.sendMessage('go');
  expect(isTask(answer) && answer.status.state).toBe('unknown');
  await expect(serverOf(['working', 'paused']).client.run('go')).rejects.toMatchObject({
    code: 'TASK_NOT_COMPLETED',
    message: 'The agent cannot tell the state of the task',
    metadata: { state: 'unknown' },
  });
});

it('a state that is unknown for a moment ends nothing', async () => {
  const { client } = serverOf(['working', 'unknown', 'unknown', 'working', 'completed']);
  expect((await client.sendMessageStream('go').task).status.state).toBe('completed');
});

it('a stream goes on while it is open, and ends with a server that closes it', async () => {
  const live = scripted({ sends: [[begins(), turns('unknown'), turns('working'), turns('completed')]] });
  expect(brief((await readAll(live)).events)).toEqual(['task submitted', 'unknown', 'working', 'completed']);
  const closed = scripted({ sends: [[begins(), turns('unknown')]] });
  expect(await readAll(closed)).toMatchObject({ done: true, error: undefined });
  expect(closed.asked).toEqual(['send']);
  const cut = scripted({
    sends: [[begins(), turns('unknown'), lost()]],
    subscriptions: [[begins('unknown'), turns('completed')]],
    looks: [taskWith('completed')],
  });
  expect(brief((await readAll(cut)).events)).toEqual(['task submitted', 'unknown', 'completed']);
});
