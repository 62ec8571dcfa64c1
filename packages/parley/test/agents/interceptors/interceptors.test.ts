import {
  A2AError,
  A2AServer,
  type A2AServerOptions,
  type Agent,
  defineAgent,
  type ServerInterceptor,
  type StreamEvent,
} from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memory } from '../../../src/stores/memory.ts';
import { withStore } from '../../../src/stores/with-store.ts';
import { eventually } from '../../support/eventually.ts';
import { livesOn } from '../../support/nodes/lives.ts';
import { RpcPeer, sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

function served(
  interceptors: readonly ServerInterceptor[],
  agent: Agent = agentOf(() => 'done'),
  options: Partial<A2AServerOptions> = {},
) {
  const errors: unknown[] = [];
  const log = {
    error: (_text: string, details: Readonly<Record<string, unknown>> = {}) => void errors.push(details.error),
    warn: () => undefined,
  };
  const server = new A2AServer({ agents: [agent], interceptors, log, ...options });
  onTestFinished(() => server.close());
  return { server, errors, peer: new RpcPeer((request) => server.fetch(request)) };
}

/** Writes down what it sees of everything. */
function noting(seen: string[], name = ''): ServerInterceptor {
  return {
    async operation({ operation }, next) {
      seen.push(`${name}${operation}`);
      const outcome = await next();
      seen.push(`${name}${operation}: ${outcome.kind}`);
      return outcome;
    },
    async run({ agent, attempt }, next) {
      seen.push(`${name}run ${attempt} of ${agent}`);
      const end = await next();
      seen.push(`${name}run: ${end.state}`);
      return end;
    },
  };
}

/** Replaces the text of all that is sent. */
class Masking implements ServerInterceptor {
  readonly #mask = '***';

  transform(event: StreamEvent): StreamEvent {
    const parts = [{ kind: 'text' as const, text: this.#mask }];
    if (event.kind === 'artifact') return { ...event, artifact: { ...event.artifact, parts } };
    if (event.kind !== 'task') return event;
    return { ...event, task: { ...event.task, artifacts: event.task.artifacts.map((one) => ({ ...one, parts })) } };
  }
}

describe('interceptors of what is sent', () => {
  it('are among the others from the start, and these see what they return', async () => {
    const results: unknown[] = [];
    const watching: ServerInterceptor = {
      async operation(_call, next) {
        const outcome = await next();
        if (outcome.kind === 'result') results.push(outcome.result);
        return outcome;
      },
    };
    const { server, peer } = served([new Masking()]);
    server.use(watching);
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.artifacts).toMatchObject([{ parts: [{ text: '***' }] }]);
    expect(results).toMatchObject([{ artifacts: [{ parts: [{ text: '***' }] }] }]);
  });

  it.for([
    'use',
    'options',
  ])('share an object with a handler of events, both with their own `this` (%s)', async (way) => {
    class Audit extends Masking {
      readonly kinds: string[] = [];
      onEvent({ kind }: { readonly kind: string }) {
        this.kinds.push(kind);
      }
    }
    const audit = new Audit();
    const { server, peer } = served(way === 'options' ? [audit] : []);
    if (way === 'use') server.use(audit);
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.artifacts).toMatchObject([{ parts: [{ text: '***' }] }]);
    expect(audit.kinds.slice(0, 2)).toEqual(['task', 'message']);
  });

  it.for(['operation', 'run', 'commit', 'transform', 'onEvent'])('refuse a %s that is no function', (name) => {
    const { server } = served([]);
    expect(() => server.use({ [name]: 'text' })).toThrow(`${name} of an extension must be a function`);
    expect(() => served([{ [name]: 'text' }])).toThrow(`${name} of an extension must be a function`);
  });
});

describe('interceptors of operations', () => {
  it('are around each operation, the first of them outermost', async () => {
    const seen: string[] = [];
    const { peer } = served([noting(seen, 'outer '), noting(seen, 'inner ')]);
    await peer.call('SendMessage', sendParams('go'));
    expect(seen.filter((line) => !line.includes('run'))).toEqual([
      'outer sendMessage',
      'inner sendMessage',
      'inner sendMessage: result',
      'outer sendMessage: result',
    ]);
  });

  it('see the facts of the call', async () => {
    const calls: Wire[] = [];
    const { server } = served([
      {
        operation: (call, next) => {
          calls.push({ ...call, trace: call.trace, isAborted: call.signal.aborted });
          return next();
        },
      },
    ]);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const headers = {
      'content-type': 'application/json',
      'a2a-version': '1.0',
      'a2a-extensions': 'https://example.com/one, https://example.com/two',
      'idempotency-key': '"k-1"',
      traceparent,
      tracestate: 'rojo=1',
    };
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] };
    const init = { method: 'POST', headers, body: JSON.stringify({ message }) };
    await server.fetch(new Request('http://localhost/a2a/message:send', init));
    expect(calls).toMatchObject([
      {
        operation: 'sendMessage',
        agent: 'test',
        binding: 'HTTP+JSON',
        dialect: 'v1_0',
        caller: { subject: '', tenant: '', scopes: [], claims: {} },
        extensions: ['https://example.com/one', 'https://example.com/two'],
        idempotencyKey: '"k-1"',
        resumeAt: undefined,
        trace: { id: '4bf92f3577b34da6a3ce929d0e0e4736', traceparent, tracestate: 'rojo=1' },
        isAborted: false,
      },
    ]);
  });

  it('see the agent that calls as the caller', async () => {
    const callers: Wire[] = [];
    const inner = defineAgent({ name: 'inner', description: 'Helps', version: '1.0.0', run: () => 'inner' });
    const outer = defineAgent({
      name: 'outer',
      description: 'Calls',
      version: '1.0.0',
      run: async (task) => (await task.call(inner, 'Help').task).status.state,
    });
    const { peer } = served(
      [
        {
          operation: (call, next) => {
            callers.push([call.agent, call.caller.scheme]);
            return next();
          },
        },
      ],
      outer,
      { agents: [outer, inner] },
    );
    await peer.call('SendMessage', sendParams('go'));
    expect(callers).toEqual([
      ['outer', undefined],
      ['inner', 'parley:agent'],
    ]);
  });

  it.each([
    ['JSON-RPC', '/a2a', { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } }, { id: 1, error: {} }],
    ['HTTP+JSON', '/a2a/tasks/t', undefined, { error: { code: 403, status: 'PERMISSION_DENIED' } }],
  ])('may refuse, in the shape of %s', async (_, path, body, shape) => {
    const { server } = served([
      {
        operation: async () => {
          throw new A2AError('PERMISSION_DENIED', 'Not on Sundays');
        },
      },
    ]);
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const response = await server.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
    expect(response.status).toBe(403);
    const answer = (await response.json()) as Wire;
    expect(answer).toMatchObject(shape);
    expect(answer.error.message).toBe('Not on Sundays');
  });

  it('see the errors of an operation, and may change its result', async () => {
    const codes: string[] = [];
    const { peer } = served([
      {
        async operation(_call, next) {
          try {
            const outcome = await next();
            if (outcome.kind !== 'result') return outcome;
            return { ...outcome, result: { ...(outcome.result as Wire), metadata: { seen: true } } };
          } catch (error) {
            codes.push((error as A2AError).code);
            throw error;
          }
        },
      },
    ]);
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.metadata).toEqual({ seen: true });
    expect((await peer.respond('GetTask', { id: 'none' })).error.code).toBe(-32001);
    expect(codes).toEqual(['TASK_NOT_FOUND']);
  });

  it('that return nothing are an internal error, and a stream that was begun is freed', async () => {
    const { peer, server, errors } = served([{ operation: (_call, next) => next().then(() => undefined) as never }]);
    expect((await peer.respond('SendMessage', sendParams('go'))).error.code).toBe(-32603);
    expect((await peer.respond('SendStreamingMessage', sendParams('go'))).error.code).toBe(-32603);
    expect(errors.map(String)).toEqual([
      expect.stringContaining('sendMessage must return what next() resolved with'),
      expect.stringContaining('sendStreamingMessage must return what next() resolved with'),
    ]);
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('hear of the beginning and of the end of a stream', async () => {
    const seen: unknown[] = [];
    const released = gate();
    const agent = agentOf(async function* () {
      yield 'first';
      await released.promise;
      yield ' last';
    });
    const { peer } = served(
      [
        {
          async operation(call, next) {
            call.onEnd((end) => void seen.push(end));
            const outcome = await next();
            seen.push(outcome.kind);
            return outcome;
          },
        },
      ],
      agent,
    );
    const left = await peer.open('SendStreamingMessage', sendParams('go'));
    await left.next();
    expect(seen).toEqual(['stream']);
    await left.close();
    await eventually(() => seen).toEqual(['stream', { isComplete: false }]);
    const read = await peer.open('SendStreamingMessage', sendParams('go'));
    released.resolve();
    await read.rest();
    expect(seen.slice(2)).toEqual(['stream', { isComplete: true }]);
    await peer.respond('GetTask', { id: 'none' });
    expect(seen.slice(4)).toEqual([{ isComplete: true }]);
  });
});

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

describe('interceptors of commits', () => {
  it('are around each write to the store, with its tasks and the number of events', async () => {
    const commits: { readonly taskIds: readonly string[]; readonly events: number }[] = [];
    const { peer } = served([
      {
        async commit(commit, next) {
          commits.push(commit);
          await next();
        },
      },
    ]);
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(new Set(commits.flatMap(({ taskIds }) => taskIds))).toEqual(new Set([task.id]));
    expect(commits.reduce((sum, { events }) => sum + events, 0)).toBeGreaterThan(2);
  });

  it('do not write a second time where they fail after the write', async () => {
    let writes = 0;
    const inner = memory();
    const store = withStore(inner, {
      commit: (entries) => {
        writes += 1;
        return inner.commit(entries);
      },
    });
    let failures = 0;
    const { peer, errors } = served(
      [
        {
          async commit(_commit, next) {
            await next();
            failures += 1;
            throw new Error('too late');
          },
        },
      ],
      undefined,
      { store },
    );
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(writes).toBe(failures);
    expect(errors).toHaveLength(failures);
  });
});
