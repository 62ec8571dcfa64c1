import {
  A2AClient,
  A2AServer,
  type A2AServerOptions,
  defineAgent,
  type ServerInterceptor,
  type TaskContext,
} from 'parley-a2a';
import { TRACE_EXTENSION, traceIdsOf } from 'parley-a2a/extensions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isCompleted, startReceiver } from '../push/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { livesOn } from '../support/nodes/lives.ts';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { agentOf, gate, hang } from '../support/script.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;
const TRACE = { traceparent: TRACEPARENT, tracestate: 'vendor=value' };

type Headers = Readonly<Record<string, string | undefined>>;

/** The traces of the operations that a server gets. */
function noting(seen: unknown[]): ServerInterceptor {
  return {
    operation: ({ trace }, next) => {
      seen.push(trace);
      return next();
    },
  };
}

function opened(server: A2AServer) {
  onTestFinished(() => server.close());
  return { server, peer: new RpcPeer((request) => server.fetch(request)) };
}

/** A server of its own on a socket, and the traces of what it was asked. */
async function elsewhere(options: Partial<A2AServerOptions> = {}) {
  const seen: Wire[] = [];
  const { server } = opened(
    new A2AServer({ agents: [agentOf(() => 'far')], interceptors: [noting(seen)], ...options }),
  );
  await server.listen({ port: 0 });
  return { url: server.url ?? '', seen };
}

describe('the trace of a request, with nothing configured', () => {
  const inner = defineAgent({ name: 'inner', description: 'Helps', version: '1.0.0', run: () => 'inner' });

  it('reaches an agent of the same server (S0.15)', async () => {
    const seen: unknown[] = [];
    const outer = agentOf(async (task) => void (await task.call(inner, 'help')));
    const { peer } = opened(new A2AServer({ agents: [outer, inner], interceptors: [noting(seen)] }));
    await peer.call('SendMessage', sendParams('go'), TRACE);
    expect(seen).toEqual([
      { id: TRACE_ID, ...TRACE },
      { id: TRACE_ID, ...TRACE },
    ]);
  });

  it.for([
    ['task.call with an address', (task: TaskContext, url: string) => task.call(url, 'help')],
    ['task.call with a client', (task: TaskContext, url: string) => task.call(new A2AClient(url), 'help')],
    ['a client that the run makes', (_: TaskContext, url: string) => new A2AClient(url).run('help')],
    ['a client after a timer', (_: TaskContext, url: string) => later(() => new A2AClient(url).run('help'))],
  ] as const)('reaches another server by %s (S0.15)', async ([, call]) => {
    const { url, seen } = await elsewhere();
    const { peer } = opened(new A2AServer({ agents: [agentOf(async (task) => void (await call(task, url)))] }));
    await peer.call('SendMessage', sendParams('go'), { ...TRACE, 'x-a2a-trace-id': 'trace-12345' });
    expect(seen).toEqual([{ id: 'trace-12345', ...TRACE }]);
  });

  it('reaches another server over gRPC (S0.15)', async () => {
    const { url, seen } = await elsewhere({ grpc: { port: 0 } });
    const far = new A2AClient(url, { prefer: { binding: 'GRPC' } });
    const { peer } = opened(new A2AServer({ agents: [agentOf(async () => void (await far.run('help')))] }));
    await peer.call('SendMessage', sendParams('go'), { ...TRACE, 'x-a2a-trace-id': 'trace-12345' });
    expect(seen).toEqual([{ id: 'trace-12345', ...TRACE }]);
  });

  it('of one run is not that of another that works at the same time', async () => {
    const { url, seen } = await elsewhere();
    const together = Promise.withResolvers<void>();
    let begun = 0;
    const agent = agentOf(async (task) => {
      begun += 1;
      if (begun === 3) together.resolve();
      await together.promise;
      await new A2AClient(url).run(task.text);
    });
    const { peer } = opened(new A2AServer({ agents: [agent] }));
    const parents = ['1', '2'].map((digit) => `00-${digit.repeat(32)}-${SPAN_ID}-01`);
    await Promise.all([
      ...parents.map((traceparent) => peer.call('SendMessage', sendParams('go'), { traceparent })),
      peer.call('SendMessage', sendParams('go')),
    ]);
    expect(new Set(seen.map((trace) => trace?.traceparent ?? 'none'))).toEqual(new Set([...parents, 'none']));
    expect(seen).toHaveLength(3);
  });

  it('is named by X-A2A-Trace-Id alone, too (S1.5)', async () => {
    const { url, seen } = await elsewhere();
    const { peer } = opened(new A2AServer({ agents: [agentOf(async (task) => void (await task.call(url, 'help')))] }));
    await peer.call('SendMessage', sendParams('go'), { 'x-a2a-trace-id': 'trace-12345' });
    expect(seen).toEqual([{ id: 'trace-12345' }]);
  });

  it('is that of the caller again in a run that takes the place of a lost one', async () => {
    const { url, seen } = await elsewhere();
    const live = livesOn();
    const lost = gate();
    const agent = (isFirst: boolean) =>
      agentOf(
        async (task) => {
          await task.step('begin', () => 'begun');
          if (isFirst) lost.resolve();
          if (isFirst) await hang(task);
          await task.call(url, 'help');
        },
        { resumable: true },
      );
    const first = live([agent(true)]);
    const { task } = await first.peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }), TRACE);
    await lost.promise;
    first.kill();
    const second = live([agent(false)]);
    onTestFinished(() => second.server.close());
    await second.server.open();
    await eventually(async () => (await second.peer.call('GetTask', { id: task.id })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
    expect(seen).toEqual([{ id: TRACE_ID, ...TRACE }]);
  });

  it('reaches webhooks, and no others (S0.15)', async () => {
    const receiver = await startReceiver();
    const { server, peer } = opened(new A2AServer({ agents: [agentOf(() => 'done')] }));
    await server.listen({ port: 0 });
    const configuration = { taskPushNotificationConfig: { url: receiver.url } };
    await peer.call('SendMessage', sendParams('go', {}, configuration), { ...TRACE, 'x-a2a-trace-id': 'trace-12345' });
    const [first] = await receiver.until(1);
    expect(first?.headers).toMatchObject({ ...TRACE, 'x-a2a-trace-id': 'trace-12345' });
    const { task } = await peer.call('SendMessage', sendParams('go', {}, configuration));
    await receiver.untilBody((body) => isCompleted(body) && body.statusUpdate.taskId === task.id);
    const untraced = receiver.accepted.filter(({ text }) => text.includes(task.id));
    expect(untraced.map(({ headers }) => headers.traceparent)).not.toContain(TRACEPARENT);
  });

  it.for([
    ['upper case', TRACEPARENT.toUpperCase()],
    ['version ff', TRACEPARENT.replace(/^00/, 'ff')],
    ['no trace', TRACEPARENT.replace(TRACE_ID, '0'.repeat(32))],
    ['no span', TRACEPARENT.replace(SPAN_ID, '0'.repeat(16))],
    ['more than version 00 has', `${TRACEPARENT}-extra`],
    ['two of them', `${TRACEPARENT}, ${TRACEPARENT}`],
    ['too long', `01-${TRACE_ID}-${SPAN_ID}-01-${'x'.repeat(600)}`],
    ['another text', 'not a trace'],
  ] as const)('is none where traceparent is malformed: %s', async ([, traceparent]) => {
    const seen: unknown[] = [];
    const { peer } = opened(new A2AServer({ agents: [agentOf(() => 'done')], interceptors: [noting(seen)] }));
    await peer.call('SendMessage', sendParams('go'), { traceparent, tracestate: 'vendor=value' });
    expect(seen).toEqual([undefined]);
  });

  it('may be of a later version, which is passed on as it is', async () => {
    const seen: unknown[] = [];
    const traceparent = `01-${TRACE_ID}-${SPAN_ID}-01-what-comes-later`;
    const { peer } = opened(new A2AServer({ agents: [agentOf(() => 'done')], interceptors: [noting(seen)] }));
    await peer.call('SendMessage', sendParams('go'), { traceparent });
    expect(seen).toEqual([{ id: TRACE_ID, traceparent }]);
  });

  it('leaves out a name that no header can hold', async () => {
    const { url, seen } = await elsewhere();
    const { server } = opened(
      new A2AServer({ agents: [agentOf(async (task) => void (await task.call(url, 'help')))] }),
    );
    const headers: Headers = { 'content-type': 'application/json', 'x-a2a-trace-id': 'zwölf' };
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] };
    const body = JSON.stringify({ message });
    const init = { method: 'POST', headers: headers as Record<string, string>, body };
    const response = await server.fetch(new Request('http://localhost/a2a/message:send', init));
    expect(await response.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(seen).toEqual([undefined]);
  });
});

describe('the trace in the metadata of events', () => {
  const writer = agentOf(async function* (task) {
    yield 'one';
    await task.status('half', { metadata: { own: true } });
    yield 'two';
  });
  const ids = { traceId: TRACE_ID, spanId: SPAN_ID };

  it('is there where the extension is asked for, and in the task (S0.15)', async () => {
    const { peer } = opened(new A2AServer({ agents: [writer] }));
    const headers = { ...TRACE, 'a2a-extensions': TRACE_EXTENSION };
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'), headers);
    const statuses = frames.flatMap(({ result }) => result.statusUpdate ?? []);
    expect(statuses.map(({ metadata }: Wire) => traceIdsOf(metadata))).toEqual([ids, ids, ids]);
    expect(statuses[1].metadata).toMatchObject({ own: true });
    const task = await peer.call('GetTask', { id: statuses[0].taskId });
    expect(traceIdsOf(task.metadata)).toEqual(ids);
  });

  it('is not there where it is not asked for, or where there is no trace', async () => {
    const { peer } = opened(new A2AServer({ agents: [writer] }));
    for (const headers of [TRACE, { 'a2a-extensions': TRACE_EXTENSION }]) {
      const frames = await peer.stream('SendStreamingMessage', sendParams('go'), headers as Record<string, string>);
      expect(JSON.stringify(frames)).not.toContain(TRACE_EXTENSION);
      expect(JSON.stringify(frames)).not.toContain(SPAN_ID);
    }
  });

  it('is in the words of the document on its mount (S0.15)', async () => {
    const { server } = opened(new A2AServer({ agents: [writer] }));
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'go' }] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } });
    const headers = { 'content-type': 'application/json', ...TRACE };
    const response = await server.fetch(new Request('http://localhost/api/a2a', { method: 'POST', headers, body }));
    const working = (await response.text()).split('\n').find((line) => line.includes('status-update'));
    expect(JSON.parse(working?.replace(/^data: /, '') ?? '').result).toMatchObject({
      kind: 'status-update',
      status: { state: 'working' },
      metadata: ids,
      final: false,
    });
  });
});

function later<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise<void>((resolve) => setTimeout(resolve, 1)).then(work);
}
