import { type MeterProvider, metrics, trace } from '@opentelemetry/api';
import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { registerProvider, type SeenSpan } from './spans.ts';

async function opened(options: Partial<A2AServerOptions> = {}) {
  const warnings: string[] = [];
  const log = { error: () => {}, warn: (text: string) => void warnings.push(text) };
  const server = new A2AServer({ agents: [agentOf(() => 'done')], log, ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return { server, warnings, peer: new RpcPeer((request) => server.fetch(request)) };
}

/** Registers a provider of metrics that only counts: values of counters, and who observes a gauge. */
function registerMetrics() {
  const counted = new Map<string, number>();
  const observers = new Map<string, Set<unknown>>();
  const meter = {
    createCounter: (name: string) => ({
      add: (value: number) => void counted.set(name, (counted.get(name) ?? 0) + value),
    }),
    createHistogram: () => ({ record: () => {} }),
    createObservableGauge: (name: string) => {
      const callbacks = new Set<unknown>();
      observers.set(name, callbacks);
      return {
        addCallback: (callback: unknown) => void callbacks.add(callback),
      };
    },
  };
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider);
  return { counted, observersOf: (name: string) => observers.get(name)?.size };
}

afterEach(() => {
  trace.disable();
  metrics.disable();
});

describe('a provider that is registered after the server opened', () => {
  it('gets spans of the next request', async () => {
    const { peer } = await opened();
    await peer.send('before');
    const seen: SeenSpan[] = [];
    const stop = registerProvider(seen);
    onTestFinished(stop);
    await peer.send('after');
    await eventually(() => seen.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['SendMessage', 'invoke_agent test']),
    );
    await peer.send('again');
    await eventually(() => seen.filter(({ name }) => name === 'SendMessage').length).toBe(2);
  });

  it('gets metrics, once each', async () => {
    const { peer } = await opened();
    await peer.send('before');
    const { counted, observersOf } = registerMetrics();
    await Promise.all([peer.send('after'), peer.send('after')]);
    await peer.send('again');
    expect(counted.get('parley.requests')).toBe(3);
    expect(observersOf('parley.streams.open')).toBe(1);
  });

  it('gets metrics beside those of Prometheus', async () => {
    const { server, peer } = await opened({ metrics: true });
    await peer.send('before');
    const { counted, observersOf } = registerMetrics();
    await peer.send('after');
    expect(counted.get('parley.requests')).toBe(1);
    expect(observersOf('parley.tasks.live')).toBe(1);
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toMatch(/^parley_requests_total\{.*\} 2$/m);
  });
});
