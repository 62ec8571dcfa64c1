import {
  A2AError,
  A2AServer,
  type A2AServerOptions,
  type Agent,
  defineAgent,
  type ServerInterceptor,
} from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../push/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { livesOn } from '../support/nodes/lives.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { agentOf, gate, hang } from '../support/script.ts';

const inner = defineAgent({ name: 'inner', description: 'Helps', version: '1.0.0', run: () => 'inner' });
const other = { id: 'f'.repeat(32), traceparent: `00-${'f'.repeat(32)}-${'e'.repeat(16)}-01` };

async function served(
  interceptors: readonly ServerInterceptor[],
  agents: readonly Agent[],
  options: Partial<A2AServerOptions> = {},
) {
  const warnings: string[] = [];
  const log = { error: (text: string) => void warnings.push(text), warn: (text: string) => void warnings.push(text) };
  const server = new A2AServer({ agents, interceptors, log, ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return { server, warnings, peer: new RpcPeer((request) => server.fetch(request)) };
}

describe('interceptors of steps', () => {
  const stepping = agentOf(async (task) => {
    const first = await task.step('first', () => 1);
    const failed = await task.step('second', () => Promise.reject(new Error('broken'))).catch(() => 'caught');
    return `${first} ${failed}`;
  });

  it('are around each step, the first outermost, and see its failure', async () => {
    const seen: string[] = [];
    const noting = (name: string): ServerInterceptor => ({
      async step({ agent, name: step }, next) {
        seen.push(`${name} ${agent} ${step}`);
        await next().catch((error: Error) => {
          seen.push(`${name} ${step}: ${error.message}`);
          throw error;
        });
      },
    });
    const { peer } = await served([noting('outer'), noting('inner')], [stepping]);
    const task = await peer.send('go');
    expect(task.artifacts[0].parts[0].text).toBe('1 caught');
    expect(seen).toEqual([
      'outer test first',
      'inner test first',
      'outer test second',
      'inner test second',
      'inner second: broken',
      'outer second: broken',
    ]);
  });

  it.for([
    ['throw', () => Promise.reject(new Error('refused'))],
    ['do not call next', () => Promise.resolve()],
  ] as const)('fail the step where they %s', async ([, step]) => {
    const { peer } = await served([{ step }], [agentOf((task) => task.step('first', () => 'done'))]);
    expect((await peer.send('go')).status.state).toBe('TASK_STATE_FAILED');
  });

  it('see no step again that a resumed run has recorded', async () => {
    const seen: string[] = [];
    const lost = gate();
    const agent = (isFirst: boolean) =>
      agentOf(
        async (task) => {
          await task.step('one', () => 1);
          if (isFirst) lost.resolve();
          if (isFirst) await hang(task);
          await task.step('two', () => 2);
        },
        { resumable: true },
      );
    const interceptors: readonly ServerInterceptor[] = [
      {
        step: ({ name }, next) => {
          seen.push(name);
          return next();
        },
      },
    ];
    const live = livesOn();
    const first = live([agent(true)], { interceptors });
    const { task } = await first.peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    await lost.promise;
    first.kill();
    const second = live([agent(false)], { interceptors });
    onTestFinished(() => second.server.close());
    await second.server.open();
    await eventually(async () => (await second.peer.call('GetTask', { id: task.id })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
    expect(seen).toEqual(['one', 'two']);
  });
});

describe('interceptors of calls between agents', () => {
  it('are around the call until the other turn is over, and name both', async () => {
    const seen: unknown[] = [];
    const watching: ServerInterceptor = {
      async call({ agent, target }, next) {
        const { state, taskId } = await next();
        seen.push({ agent, target, state, isTask: taskId !== undefined });
        return { state, taskId };
      },
    };
    const far = await served([], [agentOf(() => 'far')]);
    const caller = agentOf(async (task) => {
      await task.call(inner, 'help');
      await task.call(far.server.url ?? '', 'help');
    });
    const { peer } = await served([watching], [caller, inner]);
    expect((await peer.send('go')).status.state).toBe('TASK_STATE_COMPLETED');
    expect(seen).toEqual([
      { agent: 'test', target: { name: 'inner' }, state: 'completed', isTask: true },
      { agent: 'test', target: { name: undefined, url: far.server.url }, state: 'completed', isTask: true },
    ]);
  });

  it('hear of the end of the run where nobody reads the call', async () => {
    const ended = gate<unknown>();
    const { peer } = await served(
      [
        {
          async call(_call, next) {
            const outcome = await next();
            ended.resolve(outcome.state);
            return outcome;
          },
        },
      ],
      [agentOf((task) => void task.call(inner, 'help')), inner],
    );
    await peer.send('go');
    await expect(ended.promise).resolves.toBeUndefined();
  });

  it('may refuse a call; what they throw after it is logged', async () => {
    const refusing: ServerInterceptor = { call: () => Promise.reject(new A2AError('PERMISSION_DENIED', 'Not you')) };
    const agent = agentOf(async (task) => {
      const error: unknown = await task.call(inner, 'help').then(undefined, (reason: unknown) => reason);
      return error instanceof A2AError ? error.code : 'called';
    });
    const refused = await served([refusing], [agent, inner]);
    expect((await refused.peer.send('go')).artifacts[0].parts[0].text).toBe('PERMISSION_DENIED');
    const late: ServerInterceptor = { call: (_, next) => next().then(() => Promise.reject(new Error('late'))) };
    const failing = await served([late], [agent, inner]);
    expect((await failing.peer.send('go')).artifacts[0].parts[0].text).toBe('called');
    await eventually(() => failing.warnings).toEqual(['An interceptor failed after a call of another agent']);
  });

  it('make the other agent part of a trace of theirs', async () => {
    const traces: unknown[] = [];
    const tracing: ServerInterceptor = {
      operation: ({ trace }, next) => {
        traces.push(trace);
        return next();
      },
      call: (call, next) => {
        call.continueTrace(other);
        return next();
      },
    };
    const { peer } = await served([tracing], [agentOf(async (task) => void (await task.call(inner, 'help'))), inner]);
    await peer.send('go');
    expect(traces).toEqual([undefined, other]);
  });
});

describe('interceptors of operations', () => {
  it('see the parameters, and make runs part of a trace of theirs', async () => {
    const seen: unknown[] = [];
    const tracing: ServerInterceptor = {
      operation: (call, next, input) => {
        seen.push('message' in input && input.message.messageId);
        call.continueTrace(other);
        return next();
      },
      run: ({ trace }, next) => {
        seen.push(trace);
        return next();
      },
    };
    const { peer } = await served([tracing], [inner]);
    await peer.send('go', { messageId: 'm-7' });
    expect(seen).toEqual(['m-7', other]);
  });
});

describe('interceptors of webhooks', () => {
  it('are around each request, with what came of it, and its trace', async () => {
    const receiver = await startReceiver((_, number) => ({ status: number === 0 ? 503 : 200 }));
    const seen: unknown[] = [];
    const watching: ServerInterceptor = {
      async webhook(webhook, next) {
        webhook.continueTrace(other);
        const outcome = await next();
        const { agent, taskId, webhookId, url, seq, eventTime } = webhook;
        seen.push({ ...outcome, agent, taskId, webhookId, url, seq, isTimed: typeof eventTime === 'number' });
        return outcome;
      },
    };
    const push = { retry: { firstDelay: 1 } };
    const { peer } = await served([watching], [inner], { push });
    const taskPushNotificationConfig = { id: 'hook', url: receiver.url };
    const { id: taskId } = await peer.send('go', {}, { taskPushNotificationConfig });
    const [first] = await receiver.until(1);
    expect(first?.headers.traceparent).toBe(other.traceparent);
    await eventually(() => seen.length).toBeGreaterThanOrEqual(2);
    const facts = { agent: 'inner', taskId, webhookId: 'hook', url: receiver.url, isTimed: true };
    expect(seen.slice(0, 2)).toMatchObject([
      { kind: 'failed', status: 503, ...facts },
      { kind: 'delivered', status: 200, ...facts },
    ]);
  });
});
