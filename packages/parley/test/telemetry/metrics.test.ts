import { createServer } from 'node:net';
import { A2AServer, type A2AServerOptions, type Agent, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { Counter, Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { METRICS } from '../../src/server/telemetry/metrics/catalog.ts';
import { isCompleted, startReceiver } from '../push/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { type Sample, samplesOf } from './samples.ts';

const QUIET = { error: () => {}, warn: () => {} };

async function served(agents: readonly Agent[], options: Partial<A2AServerOptions> = {}) {
  const server = new A2AServer({ agents, log: QUIET, metrics: true, ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  const url = server.url ?? '';
  const samples = async (): Promise<readonly Sample[]> => samplesOf(await (await fetch(`${url}/metrics`)).text());
  /** The value of the one series that has these labels. */
  const total = async (name: string, labels: Readonly<Record<string, string>> = {}) => {
    const found = (await samples()).filter(
      (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    );
    return found.reduce((sum, { value }) => sum + value, 0);
  };
  return { server, url, samples, total, peer: new RpcPeer((request) => fetch(request), `${url}/a2a`) };
}

describe('/metrics', () => {
  it('counts operations by dialect and outcome, runs, tasks, streams, events and commits', async () => {
    const { peer, total, samples } = await served([agentOf(() => 'done')], { store: sqlite(':memory:') });
    const { id } = await peer.send('go');
    await peer.stream('SendStreamingMessage', sendParams('go'));
    await peer.error('GetTask', { id: 'nowhere' });
    await peer.call('GetTask', { id });
    const ok = { dialect: 'v1_0', binding: 'JSONRPC', outcome: 'ok' };
    expect(await total('parley_requests_total', { operation: 'SendMessage', ...ok })).toBe(1);
    expect(await total('parley_requests_total', { operation: 'GetTask', ...ok })).toBe(1);
    expect(await total('parley_requests_total', { operation: 'GetTask', outcome: 'task_not_found' })).toBe(1);
    expect(await total('parley_request_duration_seconds_count', { operation: 'SendMessage' })).toBe(1);
    await eventually(() =>
      total('parley_streams_total', { operation: 'SendStreamingMessage', outcome: 'complete' }),
    ).toBe(1);
    expect(await total('parley_runs_total', { agent: 'test', state: 'completed' })).toBe(2);
    expect(await total('parley_run_duration_seconds_count', { agent: 'test' })).toBe(2);
    expect(await total('parley_tasks', { agent: 'test', state: 'completed' })).toBe(2);
    expect(await total('parley_tasks', { agent: 'test', state: 'working' })).toBe(0);
    expect(await total('parley_commit_events_sum')).toBe(await total('parley_events_total'));
    expect(await total('parley_events_total')).toBeGreaterThanOrEqual(8);
    expect(await total('parley_http_responses_total', { route: 'operations', status: '200' })).toBe(4);
    const queues = (await samples()).filter(({ name }) => name === 'parley_queue_depth');
    expect(queues.map(({ labels }) => labels.queue)).toEqual(['runs', 'commits', 'webhooks']);
    const delays = (await samples()).filter(({ name }) => name === 'parley_event_loop_delay_seconds');
    expect(delays.map(({ labels }) => labels.stat)).toEqual(['mean', 'p99', 'max']);
  });

  it('counts webhooks with their lag, steps, calls of agents, and limits that were hit', async () => {
    const receiver = await startReceiver();
    const inner = defineAgent({ name: 'inner', description: 'Helps', version: '1.0.0', run: () => 'inner' });
    const agent = agentOf(async (task) => {
      await task.step('look up', () => 1);
      await task.call(inner, 'help');
    });
    const { peer, total } = await served([agent, inner], {
      limits: { rate: { requests: 2, window: 60_000 } },
    });
    await peer.send('go', {}, { taskPushNotificationConfig: { url: receiver.url } });
    await receiver.untilBody(isCompleted);
    await peer.send('go');
    expect((await peer.request('SendMessage', sendParams('go'))).status).toBe(429);
    await eventually(() => total('parley_webhook_requests_total', { outcome: 'delivered' })).toBeGreaterThan(0);
    expect(await total('parley_webhook_lag_seconds_count')).toBeGreaterThan(0);
    expect(await total('parley_step_duration_seconds_count', { agent: 'test', outcome: 'ok' })).toBe(2);
    expect(await total('parley_agent_call_duration_seconds_count', { agent: 'test', outcome: 'ok' })).toBe(2);
    expect(await total('parley_limits_hit_total', { limit: 'rate' })).toBe(1);
    expect(await total('parley_http_responses_total', { status: '429' })).toBe(1);
  });

  it('has nothing of tasks, callers or texts in its labels', async () => {
    const { peer, url } = await served([agentOf((task) => task.step('a step of ann', () => 'done'))]);
    const { id, contextId } = await peer.send('the text', { messageId: 'the-message' });
    await peer.error('GetTask', { id: 'the-missing-task' });
    await peer.respond('NoSuchMethod', {});
    await fetch(`${url}/the/missing/path`);
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const found of [
      id,
      contextId,
      'the text',
      'the-message',
      'the-missing',
      'step of ann',
      'NoSuchMethod',
      'missing/path',
    ]) {
      expect(text).not.toContain(found);
    }
  });

  it('is named as Prometheus has it: parley_, base units, a help text for everything', async () => {
    const { peer, url } = await served([agentOf(() => 'done')]);
    await peer.send('go');
    const text = await (await fetch(`${url}/metrics`)).text();
    const names = Object.values(METRICS).flatMap((metric) => ('name' in metric ? [metric.name] : []));
    expect(names.length).toBeGreaterThan(20);
    for (const metric of Object.values(METRICS)) {
      if (!('name' in metric)) continue;
      expect(metric.name).toMatch(/^parley_[a-z_]+$/);
      if (metric.kind === 'counter') expect(metric.name).toMatch(/_total$/);
      if (metric.unit === 's') expect(metric.name).toMatch(/_seconds$/);
      expect(text).toContain(`# HELP ${metric.name} `);
    }
  });

  it('is for operators where callers are told apart', async () => {
    const validate = (token: string) => {
      if (token === 'ann') return { subject: 'ann' };
      return token === 'root' && { subject: 'root', scopes: ['parley:operator'] };
    };
    const { url } = await served([agentOf(() => 'done')], { auth: { type: 'bearer', validate } });
    const statusFor = async (key?: string) =>
      (await fetch(`${url}/metrics`, { headers: key ? { authorization: `Bearer ${key}` } : {} })).status;
    expect(await statusFor()).toBe(401);
    expect(await statusFor('ann')).toBe(403);
    expect(await statusFor('root')).toBe(200);
  });

  it('is not there for other machines, by another method, or where it is off', async () => {
    const { url, server } = await served([agentOf(() => 'done')]);
    const elsewhere = await server.fetch(new Request('http://agents.example.com/metrics'));
    expect([401, 403]).toContain(elsewhere.status);
    expect(elsewhere.headers.get('content-type')).toBe('application/problem+json');
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
    const off = await served([agentOf(() => 'done')], { metrics: false });
    expect((await fetch(`${off.url}/metrics`)).status).toBe(404);
  });
});

describe('metrics on a port of their own', () => {
  async function withPort(metrics: A2AServerOptions['metrics']) {
    const { server, url, peer } = await served([agentOf(() => 'done')], { metrics });
    return { server, url, peer, metricsUrl: server.metricsUrl ?? '' };
  }

  it('are there, and nowhere else', async () => {
    const { url, metricsUrl, peer } = await withPort({ port: 0 });
    await peer.send('go');
    const response = await fetch(metricsUrl);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(await response.text()).toContain('parley_requests_total{');
    expect((await fetch(metricsUrl.replace('/metrics', '/a2a'))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it('are not told to a page that calls this machine by a name of its own', async () => {
    const { metricsUrl } = await withPort({ port: 0 });
    const { get } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      get(metricsUrl, { headers: { host: 'evil.example.com' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(421);
  });

  it('are gone with the server', async () => {
    const { server, metricsUrl } = await withPort({ port: 0 });
    await server.close();
    await expect(fetch(metricsUrl)).rejects.toThrow();
  });

  it('are refused in one sentence where the port is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { readonly port: number };
    const server = new A2AServer({ agents: [agentOf(() => 'done')], log: QUIET, metrics: { port } });
    onTestFinished(() => server.close());
    await expect(server.listen({ port: 0 })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 (metrics.port) is taken by another program`,
    );
  });
});

describe('the setting metrics', () => {
  it('takes a registry of the program', async () => {
    const registry = new Registry();
    new Counter({ name: 'own_total', help: 'Own', registers: [registry] }).inc();
    const { url, peer } = await served([agentOf(() => 'done')], { metrics: { registry } });
    await peer.send('go');
    const text = await registry.metrics();
    expect(text).toContain('own_total 1');
    expect(text).toContain('parley_runs_total{agent="test",state="completed"} 1');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it.for([
    ['a text', 'yes', /^metrics must be/],
    ['a port that is none', { port: 70_000 }, /^metrics.port must be/],
    ['a host without a port', { host: '0.0.0.0' }, /^metrics.host needs/],
    ['a registry that is none', { registry: {} }, /^metrics.registry must be/],
  ] as const)('refuses %s', ([, metrics, problem]) => {
    const options = { agents: [agentOf(() => 'done')], metrics } as unknown as A2AServerOptions;
    expect(() => new A2AServer(options)).toThrow(problem);
  });
});
