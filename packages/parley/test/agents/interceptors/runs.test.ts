import type { Agent, ServerInterceptor } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { memory } from '../../../src/stores/memory.ts';
import { withStore } from '../../../src/stores/with-store.ts';
import { eventually } from '../../support/eventually.ts';
import { livesOn } from '../../support/nodes/lives.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { noting, served } from './noting.ts';

/** Says when it is past its first step; where it is to be lost, it goes no further. */
function resumable(isLost: boolean, onStep: () => void): Agent {
  return agentOf(
    async (task) => {
      await task.step('first', () => 1);
      onStep();
      if (isLost) await hang(task);
      return 'done';
    },
    { resumable: true },
  );
}

describe('interceptors of runs', () => {
  it('are around each run, with its task and its owner', async () => {
    const turns: Wire[] = [];
    const { peer } = served([
      {
        async run(turn, next) {
          const { agent, taskId, contextId, caller, attempt, dialect, signal } = turn;
          turns.push({ agent, taskId, contextId, caller, attempt, dialect, isAborted: signal.aborted });
          const end = await next();
          turns.push(end.state);
          return end;
        },
      },
    ]);
    const { task } = await peer.call('SendMessage', sendParams('go'));
    const caller = { subject: '', tenant: '' };
    expect(turns).toEqual([
      {
        agent: 'test',
        taskId: task.id,
        contextId: task.contextId,
        caller,
        attempt: 1,
        dialect: 'v1_0',
        isAborted: false,
      },
      'completed',
    ]);
  });

  it('are around a run that takes the place of a lost one, with what its request was', async () => {
    const live = livesOn();
    const turns: Wire[] = [];
    const running = gate();
    const agent = (isLost: boolean) => resumable(isLost, running.resolve);
    const interceptors: readonly ServerInterceptor[] = [
      {
        run: ({ attempt, dialect, trace }, next) => {
          turns.push({ attempt, dialect, trace });
          return next();
        },
      },
    ];
    const first = live([agent(true)], { interceptors });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const params = sendParams('go', {}, { returnImmediately: true });
    const { task } = await first.peer.call('SendMessage', params, { traceparent, tracestate: 'rojo=1' });
    await running.promise;
    first.kill();
    const { peer } = live([agent(false)], { interceptors });
    await eventually(async () => (await peer.call('GetTask', { id: task.id })).status.state).toMatch('COMPLETED');
    const trace = { id: '4bf92f3577b34da6a3ce929d0e0e4736', traceparent, tracestate: 'rojo=1' };
    expect(turns).toEqual([
      { attempt: 1, dialect: 'v1_0', trace },
      { attempt: 2, dialect: 'v1_0', trace },
    ]);
  });

  it('are around a run whose journal is older than the facts of its request', async () => {
    const inner = memory();
    const older = ({ request, ...body }: Wire) => {
      if (!request) return body;
      const { dialect: _, traceContext: __, ...rest } = request;
      return { ...body, request: rest };
    };
    const journal = async (taskId: string) =>
      (await inner.journal(taskId)).map((entry) => ({ ...entry, body: older(entry.body) }));
    const live = livesOn(withStore(inner, { journal }));
    const turns: Wire[] = [];
    const running = gate();
    const agent = (isLost: boolean) => resumable(isLost, running.resolve);
    const first = live([agent(true)]);
    const { task } = await first.peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    await running.promise;
    first.kill();
    const note: ServerInterceptor = {
      run: ({ attempt, dialect, trace, caller }, next) => {
        turns.push({ attempt, dialect, trace, caller });
        return next();
      },
    };
    const { peer } = live([agent(false)], { interceptors: [note] });
    await eventually(async () => (await peer.call('GetTask', { id: task.id })).status.state).toMatch('COMPLETED');
    const caller = { subject: '', tenant: '' };
    expect(turns).toEqual([{ attempt: 2, dialect: undefined, trace: undefined, caller }]);
  });

  it('fail the task where they throw', async () => {
    const { peer } = served([
      {
        run: async () => {
          throw new Error('No model today');
        },
      },
    ]);
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).not.toContain('No model today');
  });

  it('can be added by use(), inside of those that are there', async () => {
    const seen: string[] = [];
    const { server, peer } = served([noting(seen, 'outer ')]);
    server.use(noting(seen, 'inner '));
    await peer.call('SendMessage', sendParams('go'));
    expect(seen.filter((line) => line.includes('run'))).toEqual([
      'outer run 1 of test',
      'inner run 1 of test',
      'inner run: completed',
      'outer run: completed',
    ]);
  });
});
