import { A2AServer, type Agent, defineAgent, memory } from 'parley-a2a';
import { type ClusterCheckOptions, type ClusterReport, checkCluster } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { withStore } from '../../src/stores/with-store.ts';

const CHUNKS = 12;
const textOf = (message: string) => Array.from({ length: CHUNKS }, (_, number) => `${message}:${number} `).join('');
const message = (number: number) => ({ text: `t${number}`, expected: textOf(`t${number}`) });

const counter = (): Agent =>
  defineAgent({
    name: 'counter',
    description: 'Counts',
    version: '1.0.0',
    async *run(task) {
      for (let number = 0; number < CHUNKS; number += 1) {
        yield `${task.text}:${number} `;
        await new Promise((resolve) => setTimeout(resolve, number % 3));
      }
    },
  });

/** Three nodes in this process that share a store and a bus; each has an address of its own. */
function threeNodes(store = memory({ shared: true })): Pick<ClusterCheckOptions, 'urls' | 'client'> {
  const bus = localBus();
  const limits = { pollInterval: 100 };
  const log = { warn: () => {}, error: () => {} };
  const nodes = new Map(
    ['one', 'two', 'three'].map((name) => [
      `http://${name}.test`,
      new A2AServer({ agents: [counter()], store, bus, limits, log, drainTimeout: 0 }),
    ]),
  );
  onTestFinished(async () => {
    for (const server of nodes.values()) await server.close();
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const server = nodes.get(new URL(request.url).origin);
    if (!server) throw new TypeError(`No node has the address ${request.url}`);
    return server.fetch(request);
  };
  return { urls: [...nodes.keys()], client: { fetch, reconnect: { firstDelay: 1 }, retry: { firstDelay: 1 } } };
}

const faultsOf = ({ findings }: ClusterReport) => [...new Set(findings.map(({ fault }) => fault))];

describe('clients of three nodes', () => {
  it('see one unbroken sequence, whichever node they ask', async () => {
    const report = await checkCluster({ ...threeNodes(), tasks: 40, message, seed: 7 });
    expect(report.findings).toEqual([]);
    expect(report.seen).toMatchObject({ tasks: 40, acknowledged: 40, clients: 120 });
    expect(report.seen.reconnects).toBeGreaterThan(0);
    expect(report.seen.states.completed).toBeGreaterThan(20);
  });

  it('find out where a store loses events', async () => {
    const inner = memory({ shared: true });
    const store = withStore(inner, {
      read: async (id, after, limit) => (await inner.read(id, after, limit)).filter(({ seq }) => seq % 7 !== 0),
    });
    const report = await checkCluster({ ...threeNodes(store), tasks: 10, message, cancels: 0 });
    expect(faultsOf(report)).toContain('event-missing');
  });

  it('are told where there is nobody', async () => {
    const urls = ['http://nobody.test'];
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const client = { fetch, reconnect: { attempts: 1, firstDelay: 1 }, retry: false } as const;
    const report = await checkCluster({ urls, client, tasks: 2 });
    expect(report.findings.map(({ fault }) => fault)).toEqual(['client-gave-up', 'client-gave-up']);
    await expect(checkCluster({ urls: [] })).rejects.toThrow('There is no address to send to');
  });
});
