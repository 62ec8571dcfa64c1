import { context, trace } from '@opentelemetry/api';
import { A2AClient, A2AServer, type A2AServerOptions, type Agent, defineAgent } from 'parley-a2a';
import { TRACE_EXTENSION, traceIdsOf } from 'parley-a2a/extensions';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { isCompleted, startReceiver } from '../push/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { collectSpans, type SeenSpan } from './spans.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const TRACE = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`, tracestate: 'vendor=value' };

const spans = collectSpans();
afterEach(() => void spans.splice(0));

const inner = defineAgent({ name: 'inner', description: 'Helps', version: '2.0.0', run: () => 'inner' });

async function served(agents: readonly Agent[], options: Partial<A2AServerOptions> = {}) {
  const log = { error: () => {}, warn: () => {} };
  const server = new A2AServer({ agents, log, ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return { server, url: server.url ?? '', peer: new RpcPeer((request) => server.fetch(request)) };
}

/** The one span of a name. */
async function spanOf(name: string, count = 1): Promise<SeenSpan> {
  await eventually(() => spans.filter((span) => span.name === name).length).toBeGreaterThanOrEqual(count);
  return spans.findLast((span) => span.name === name) as SeenSpan;
}

describe('spans', () => {
  it('are made for an operation and its run, in the trace of the caller (S0.15)', async () => {
    const { peer } = await served([agentOf(() => 'done')]);
    const { id, contextId } = await peer.send('go', { messageId: 'm-1' }, undefined, TRACE);
    const operation = await spanOf('SendMessage');
    expect(operation).toMatchObject({
      kind: 'server',
      traceId: TRACE_ID,
      parentSpanId: SPAN_ID,
      isError: false,
      attributes: {
        'a2a.method.name': 'SendMessage',
        'a2a.message.id': 'm-1',
        'a2a.task.id': id,
        'a2a.task.state': 'TASK_STATE_COMPLETED',
        'a2a.protocol.version': '1.0',
        'gen_ai.conversation.id': contextId,
        'gen_ai.agent.name': 'test',
        'gen_ai.agent.description': 'An agent of a test',
        'gen_ai.agent.version': '1.0.0',
        'server.address': 'localhost',
        'server.port': 80,
      },
    });
    const run = await spanOf('invoke_agent test');
    expect(run).toMatchObject({
      kind: 'internal',
      traceId: TRACE_ID,
      parentSpanId: operation.spanId,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'a2a.task.id': id,
        'a2a.task.state': 'TASK_STATE_COMPLETED',
      },
    });
  });

  it.each(['JSONRPC', 'HTTP+JSON', 'GRPC'] as const)('tell the version of a call over %s', async (binding) => {
    const { url } = await served([agentOf(() => 'done')], { grpc: { port: 0 } });
    for (const version of ['1.0', '0.3'] as const) {
      const agent = await A2AClient.connect(url, { prefer: { binding, version } });
      await agent.getTask('unknown').catch(() => {});
      const { attributes } = await spanOf('GetTask', version === '1.0' ? 1 : 2);
      expect(attributes).toMatchObject({ 'a2a.protocol.version': version, 'parley.binding': binding });
    }
  });

  it('are made for steps, calls of agents here and elsewhere, and commits, each in its run', async () => {
    const far = await served([agentOf(() => 'far', { name: 'far' })]);
    const agent = agentOf(async (task) => {
      await task.status('begun');
      await task.step('look up', () => 1);
      await task.call(inner, 'help');
      await task.call(far.url, 'help');
    });
    const { peer } = await served([agent, inner]);
    await peer.send('go', {}, undefined, TRACE);
    const run = await spanOf('invoke_agent test');
    expect(await spanOf('step look up')).toMatchObject({
      parentSpanId: run.spanId,
      attributes: { 'parley.step.name': 'look up' },
    });
    const here = spans.find(
      ({ name, kind, parentSpanId }) =>
        name === 'invoke_agent inner' && kind === 'internal' && parentSpanId === run.spanId,
    );
    const elsewhere = await spanOf('invoke_agent');
    expect(elsewhere).toMatchObject({
      kind: 'client',
      parentSpanId: run.spanId,
      attributes: { 'a2a.task.state': 'TASK_STATE_COMPLETED', 'server.address': '127.0.0.1' },
    });
    // Each operation of a called agent is a child of the call, and its run a child of the operation.
    const operations = spans.filter(({ name }) => name === 'SendStreamingMessage');
    expect(new Set(operations.map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set([here?.spanId, elsewhere.spanId]),
    );
    // The call inside of this process comes from no address.
    const addresses = operations.map(({ attributes }) => attributes['client.address']);
    expect(new Set(addresses)).toEqual(new Set(['127.0.0.1', undefined]));
    const runs = spans.filter(
      ({ name, attributes }) => name.startsWith('invoke_agent ') && 'parley.run.attempt' in attributes,
    );
    expect(new Set(runs.map(({ attributes }) => attributes['gen_ai.agent.name']))).toEqual(
      new Set(['far', 'inner', 'test']),
    );
    expect(new Set(spans.filter(({ name }) => name !== 'commit').map(({ traceId }) => traceId))).toEqual(
      new Set([TRACE_ID]),
    );
    const commit = spans.find(({ name, parentSpanId }) => name === 'commit' && parentSpanId === run.spanId);
    expect(commit?.attributes['parley.commit.events']).toBeGreaterThan(0);
    expect(run.events).toContain('a2a.status');
  });

  it('are told apart by what failed, without any text of it', async () => {
    const secret = 'the secret of the caller';
    const { peer } = await served([agentOf(() => Promise.reject(new RangeError(secret)))]);
    await peer.send(secret, {}, undefined, TRACE);
    expect(await spanOf('invoke_agent test')).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'RangeError' },
    });
    await peer.error('GetTask', { id: 'nowhere' });
    expect(await spanOf('GetTask')).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'TASK_NOT_FOUND', 'a2a.task.id': 'nowhere' },
    });
    expect(JSON.stringify(spans)).not.toContain(secret);
  });

  it('of a stream end with it', async () => {
    const { peer } = await served([agentOf(() => 'done')]);
    await peer.stream('SendStreamingMessage', sendParams('go'), TRACE);
    expect(await spanOf('SendStreamingMessage')).toMatchObject({
      kind: 'server',
      parentSpanId: SPAN_ID,
      attributes: { 'parley.outcome': 'complete' },
    });
  });

  it('of webhooks are part of the trace of the request that registered them', async () => {
    const receiver = await startReceiver();
    const { peer } = await served([agentOf(() => 'done')]);
    const taskPushNotificationConfig = { id: 'hook', url: `${receiver.url}?token=secret` };
    await peer.send('go', {}, { taskPushNotificationConfig }, TRACE);
    await receiver.untilBody(isCompleted);
    const webhook = await spanOf('webhook', receiver.accepted.length);
    const { spanId } = await spanOf('SendMessage');
    expect(webhook).toMatchObject({
      kind: 'client',
      traceId: TRACE_ID,
      parentSpanId: spanId,
      attributes: { 'server.port': receiver.port, 'http.response.status_code': 200, 'parley.webhook.id': 'hook' },
    });
    const told = receiver.accepted.map(({ headers }) => String(headers.traceparent).split('-')[2]);
    expect(told).toContain(webhook.spanId);
    expect(JSON.stringify(spans)).not.toContain('secret');
  });

  it('are told to clients that ask for them, those of the run (S0.15)', async () => {
    const { peer } = await served([agentOf(() => 'done')]);
    const { metadata } = await peer.send('go', {}, undefined, { ...TRACE, 'a2a-extensions': TRACE_EXTENSION });
    const { spanId } = await spanOf('invoke_agent test');
    expect(traceIdsOf(metadata)).toEqual({ traceId: TRACE_ID, spanId });
  });

  it('begin a trace where a request has none', async () => {
    const { peer } = await served([agentOf(() => 'done')]);
    await peer.send('go');
    const operation = await spanOf('SendMessage');
    const run = await spanOf('invoke_agent test');
    expect(operation.parentSpanId).toBeUndefined();
    expect(run).toMatchObject({ traceId: operation.traceId, parentSpanId: operation.spanId });
  });

  it('of the program are in between: those around the server, and those in a run', async () => {
    const far = await served([inner]);
    const tracer = trace.getTracer('program');
    const agent = agentOf((task) =>
      tracer.startActiveSpan('mine', async (span) => {
        await task.step('look up', () => 1);
        await new A2AClient(far.url).run('help');
        span.end();
      }),
    );
    const { peer } = await served([agent]);
    await tracer.startActiveSpan('around', async (span) => {
      await peer.send('go');
      span.end();
    });
    expect(trace.getSpan(context.active())).toBeUndefined();
    const around = await spanOf('around');
    const mine = await spanOf('mine');
    const [first] = spans
      .filter(({ name }) => name === 'SendMessage' || name === 'SendStreamingMessage')
      .filter(({ parentSpanId }) => parentSpanId === around.spanId);
    expect(first).toBeDefined();
    expect((await spanOf('invoke_agent test')).parentSpanId).toBe(first?.spanId);
    expect((await spanOf('step look up')).parentSpanId).toBe(mine.spanId);
    expect(spans.some(({ kind, parentSpanId }) => kind === 'server' && parentSpanId === mine.spanId)).toBe(true);
  });

  it('are not wanted in a trace that is not sampled, and the trace goes on as it is', async () => {
    const seen: (string | undefined)[] = [];
    const interceptors: A2AServerOptions['interceptors'] = [
      {
        run: ({ trace: told }, next) => {
          seen.push(told?.traceparent);
          return next();
        },
      },
    ];
    const { peer } = await served([agentOf(() => 'done')], { interceptors });
    await peer.send('go', {}, undefined, { traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` });
    expect(spans).toEqual([]);
    expect(seen).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`))]);
  });
});
