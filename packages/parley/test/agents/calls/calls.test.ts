import { A2AClient, A2AServer, type Agent, type AgentDefinition, defineAgent, isA2AError, textOf } from 'parley-a2a';
import { testAgent } from 'parley-a2a/testing';
import type { AgentCallOptions } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CALLS_EXTENSION } from '../../../src/model/extensions/calls.ts';
import '../../support/a2a-matchers.ts';
import { eventually } from '../../support/eventually.ts';
import { textOfTask } from '../../support/frames.ts';
import { RpcPeer, sendParams } from '../../support/rpc.ts';
import { gate, hang } from '../../support/script.ts';

const SILENT = { error: () => {}, warn: () => {} };

function agent(name: string, run: AgentDefinition['run'], more: Partial<AgentDefinition> = {}): Agent {
  return defineAgent({ name, description: `The ${name}`, version: '1.0.0', ...more, run });
}

function peerOf(...agents: readonly Agent[]): RpcPeer {
  return new RpcPeer(new A2AServer({ agents, log: SILENT }).fetch, 'http://calls.test/a2a');
}

describe('a sub-agent of the same server (S0.6)', () => {
  it('is called without a socket; its task refers to the caller and can be found from it', async () => {
    let seen: { refs: unknown; hops: number; trace: string | undefined } | undefined;
    const child = agent('child', async function* (task) {
      seen = { refs: task.message.referenceTaskIds, hops: task.chain?.hops.length ?? 0, trace: task.chain?.trace };
      yield `Facts about ${task.text}`;
    });
    const parent = agent('parent', async function* (task) {
      const stream = task.call(child, 'Q4');
      yield 'Report: ';
      yield* stream.textStream;
    });
    const peer = peerOf(parent, child);
    const task = await peer.send('go');
    expect(textOfTask(task)).toBe('Report: Facts about Q4');
    expect(seen).toEqual({ refs: [task.id], hops: 1, trace: task.id });
    const [{ taskId, agent: name }] = task.metadata[CALLS_EXTENSION].children;
    expect(name).toBe('child');
    const childTask = await peer.at('/a2a/agents/child').call('GetTask', { id: taskId });
    expect(childTask.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('can be awaited as a task, and shows its progress in the caller’s stream, with its id (S0.6)', async () => {
    const child = agent('child', async function* (task) {
      await task.status('Counting');
      yield '42';
    });
    const parent = agent('parent', async (task) => textOf(await task.call(child, 'go', { forward: true }).task));
    const peer = peerOf(parent, child);
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    const frames = await stream.rest();
    const messages = frames.flatMap(({ result }) => result.statusUpdate?.status.message ?? []);
    const said = messages.find(({ parts }) => parts[0].text === 'Counting');
    const { metadata } = await peer.call('GetTask', { id: said.taskId });
    expect(said.referenceTaskIds).toEqual([metadata[CALLS_EXTENSION].children[0].taskId]);
  });

  it('is canceled with its caller', async () => {
    const running = gate();
    let isCanceled = false;
    const child = agent('child', async (task) => {
      task.onCancel(() => {
        isCanceled = true;
      });
      await task.status('Working');
      running.resolve();
      await hang(task);
    });
    const parent = agent('parent', async (task) => textOf(await task.call(child, 'go').task));
    const peer = peerOf(parent, child);
    const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    await running.promise;
    await peer.call('CancelTask', { id: task.id });
    await eventually(() => isCanceled).toBe(true);
  });

  it('is refused where agents call each other in a circle', async () => {
    const agents: Agent[] = [];
    const one = agent('one', async (task) => textOf(await task.call(agents[1] as Agent, 'go').task));
    const two = agent('two', async (task) => {
      try {
        return textOf(await task.call(agents[0] as Agent, 'go').task);
      } catch (error) {
        return `refused: ${error instanceof Error ? error.message : ''}`;
      }
    });
    agents.push(one, two);
    expect(textOfTask(await peerOf(one, two).send('go'))).toMatch(/refused: .*circle/);
  });

  it('has no more time than its caller has left', async () => {
    let left = Number.POSITIVE_INFINITY;
    const child = agent('child', async (task) => {
      left = task.deadline.getTime() - Date.now();
      return 'done';
    });
    const parent = agent('parent', async (task) => textOf(await task.call(child, 'go', { timeout: 5_000 }).task));
    await peerOf(parent, child).send('go');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(5_000);
  });

  it('is not started again by a run that is resumed', async () => {
    let starts = 0;
    const child = agent('child', async function* () {
      starts += 1;
      yield 'facts';
    });
    const lost = gate();
    const parent = (isLost: boolean) =>
      agent(
        'parent',
        async function* (task) {
          const facts = textOf(await task.call(child, 'go').task);
          yield `${facts} `;
          if (isLost) {
            lost.resolve();
            await hang(task);
          }
          yield 'end';
        },
        { resumable: true },
      );
    const kit = testAgent(parent(true), { agents: [child], client: { reconnect: { firstDelay: 1 } } });
    onTestFinished(() => kit.close());
    const task = kit.client.sendMessageStream('go').task;
    await lost.promise;
    await kit.restart(parent(false));
    expect(await task).toHaveText('facts end');
    expect(starts).toBe(1);
  });
});

describe('a sub-agent elsewhere', () => {
  it('is called by its address or by a client, and the chain goes with the call', async () => {
    let hops: readonly string[] = [];
    const child = agent('child', async (task) => {
      hops = task.chain?.hops ?? [];
      return `heard ${task.text}`;
    });
    const there = await new A2AServer({ agents: [child], log: SILENT }).listen({ port: 0 });
    onTestFinished(() => there.close());
    const parent = agent('parent', async (task) => {
      const byUrl = textOf(await task.call(there.url ?? '', 'one').task);
      const client = await A2AClient.connect(there.url ?? '');
      return `${byUrl}, ${textOf(await task.call(client, 'two').task)}`;
    });
    const task = await peerOf(parent).send('go');
    expect(textOfTask(task)).toBe('heard one, heard two');
    expect(hops).toHaveLength(1);
    expect(task.metadata[CALLS_EXTENSION].children).toHaveLength(2);
    expect(task.metadata[CALLS_EXTENSION].children[0].url).toContain(there.url ?? '');
  });
});

describe('a chain of calls', () => {
  const problemOf = (error: unknown) => (isA2AError(error) ? [error.code, error.metadata?.problem] : [error]);

  /** Calls whoever comes next and tells what was wrong with that. */
  const calling = (name: string, next: () => Agent, options: AgentCallOptions = {}): Agent =>
    agent(name, async (task) => {
      try {
        return `${name} ${textOf(await task.call(next(), 'go', options).task)}`;
      } catch (error) {
        return `${name}: ${problemOf(error).join(' ')}`;
      }
    });

  it('is refused where it goes in a circle or too far', async () => {
    const circle: Agent = calling('circle', () => again);
    const again = calling('again', () => circle);
    expect(textOfTask(await peerOf(circle, again).send('go'))).toBe('circle again: UNSUPPORTED_OPERATION loop');
    const last = agent('last', () => 'last');
    const third = calling('third', () => last);
    const second = calling('second', () => third);
    const first = calling('first', () => second);
    const agents = [first, second, third, last];
    expect(textOfTask(await peerOf(...agents).send('go'))).toBe('first second third last');
    const server = new A2AServer({ agents, log: SILENT, limits: { hops: 2 } });
    const short = new RpcPeer(server.fetch, 'http://calls.test/a2a');
    expect(textOfTask(await short.send('go'))).toBe('first second third: UNSUPPORTED_OPERATION hops');
  });

  it('is refused where its caller has stopped waiting', async () => {
    const peer = peerOf(agent('late', () => 'never'));
    const chain = { trace: 't', hops: ['elsewhere/other'], deadline: new Date(0).toISOString() };
    const { error } = await peer.respond('SendMessage', sendParams('go', { metadata: { [CALLS_EXTENSION]: chain } }));
    expect(error.data[0].metadata.problem).toBe('deadline');
  });

  it('passes on the smallest limit of turns that anybody has set', async () => {
    const seen: (number | undefined)[] = [];
    const last = agent('last', (task) => {
      seen.push(task.chain?.maxTurns);
      return 'done';
    });
    const middle = calling('middle', () => last, { maxTurns: 5 });
    await peerOf(
      calling('first', () => middle, { maxTurns: 3 }),
      middle,
      last,
    ).send('go');
    await peerOf(
      calling('first', () => middle, { maxTurns: 8 }),
      middle,
      last,
    ).send('go');
    expect(seen).toEqual([3, 5]);
  });
});
