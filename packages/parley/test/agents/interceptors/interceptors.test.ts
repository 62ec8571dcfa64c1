import { A2AError, defineAgent, type ServerInterceptor, type StreamEvent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { noting, served } from './noting.ts';

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
    expect(() => server.use({ [name]: 'text' })).toThrow(`${name} must be a function`);
    expect(() => served([{ [name]: 'text' }])).toThrow(`${name} must be a function`);
  });
});

describe('an interceptor that would do nothing', () => {
  it.for<[unknown, string]>([
    [() => undefined, 'must be an object with functions, some of operation, run, commit'],
    ['x', 'must be an object'],
    [5, 'must be an object'],
    [null, 'must be an object'],
    [false, 'must be an object'],
    [[noting([])], 'must be an object'],
    [{ opration: () => undefined }, 'opration; did you mean '],
    [{ onEvnt: () => undefined }, 'onEvnt; did you mean '],
    [{ ...noting([]), transfrom: () => undefined }, 'transfrom; did you mean '],
    [{ name: 'audit' }, 'must be an object with functions, some of operation, run, commit'],
    [new Map(), 'must be an object with functions, some of operation, run, commit'],
  ])('is refused (%#)', ([given, problem]) => {
    expect(() => served([given as ServerInterceptor])).toThrow(problem);
    expect(() => served([])).not.toThrow();
    expect(() => served([]).server.use(given as ServerInterceptor)).toThrow(problem);
  });

  it('is named by its place in the list', () => {
    expect(() => served([noting([]), undefined as never])).toThrow('interceptors[1] must be an object');
    expect(() => served(noting([]) as never)).toThrow('nterceptors must be a list of interceptors');
  });

  it('may be empty, have other fields, or be of a class with functions of its own', () => {
    class Audit extends Masking {
      readonly lines: string[] = [];
      write = (line: string) => this.lines.push(line);
    }
    expect(() => served([{}, { ...noting([]), name: 'audit' } as ServerInterceptor, new Audit()])).not.toThrow();
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
