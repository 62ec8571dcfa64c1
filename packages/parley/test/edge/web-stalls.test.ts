import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CORE } from '../../src/server/core/hosted.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';

const STALL = 60_000;

/** A server without a socket that has a task of some hundred kilobytes. */
async function start(options: Partial<A2AServerOptions> = {}) {
  const clock = new ManualClock();
  const agent = agentOf((task) => (task.text === 'stream' ? endless() : 'x'.repeat(500_000)));
  const limits = { stallTimeout: STALL, keepAlive: 0 };
  const server = new A2AServer({ agents: [agent], clock, limits, drainTimeout: 0, ...options });
  onTestFinished(() => server.close());
  const peer = new RpcPeer(server.fetch);
  const { id } = await peer.send('go');
  const headers = { 'a2a-version': '1.0' };
  const get = () => server.fetch(new Request(`http://localhost/a2a/tasks/${id}`, { headers }));
  return { server, clock, peer, get };
}

const open = gate();

async function* endless() {
  for (let count = 0; ; count += 1) {
    yield `${count} ${'x'.repeat(10_000)}`;
    await Promise.race([open.promise, new Promise((resolve) => setImmediate(resolve))]);
  }
}

const held = (server: A2AServer) => server[CORE].responses.size;
type Reader = ReadableStreamDefaultReader<Uint8Array>;

describe('a long response over fetch', () => {
  it('is let go of after stallTimeout where its reader takes nothing', async () => {
    const { server, clock, get } = await start();
    const begun = await get();
    const reader = begun.body?.getReader() as Reader;
    expect((await reader.read()).value?.length).toBeGreaterThan(1000);
    const unread = await get();
    expect(held(server)).toBeGreaterThan(500_000);
    await clock.advance(STALL - 1);
    expect(held(server)).toBeGreaterThan(500_000);
    // The timer looks at what has happened since it was set, so that no piece sets one.
    await clock.advance(STALL + 1);
    expect(held(server)).toBe(0);
    // What broke off must not look complete.
    await expect(reader.read()).rejects.toThrow('nothing of it was read for too long');
    await expect(unread.text()).rejects.toThrow('nothing of it was read for too long');
  });

  it('is not cut while its reader goes on, however slowly', async () => {
    const { server, clock, get } = await start();
    const reader = (await get()).body?.getReader() as Reader;
    let length = 0;
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      length += step.value.length;
      await clock.advance(STALL - 1);
    }
    expect(length).toBeGreaterThan(500_000);
    expect(held(server)).toBe(0);
  });

  it('leaves no timer behind, complete or not', async () => {
    const { server, clock, get } = await start();
    await (await get()).text();
    await (await get()).body?.cancel();
    expect(held(server)).toBe(0);
    await clock.advance(10 * STALL);
  });
});

describe('a stream over fetch', () => {
  it('is freed after stallTimeout where its reader takes nothing, and its task goes on', async () => {
    const { server, clock, peer } = await start();
    const stream = await peer.request('SendStreamingMessage', sendParams('stream'));
    const reader = stream.body?.getReader() as Reader;
    await reader.read();
    expect(server.load.subscriptions).toBe(1);
    // The agent writes on, so that there is something to take.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(3 * STALL);
    await settle();
    expect(server.load.subscriptions).toBe(0);
    expect(server.load.tasks).toBe(1);
    await expect(reader.read()).rejects.toThrow('nothing of it was read for too long');
  });

  it('is not cut while it is the agent that is waited for', async () => {
    const silent = gate();
    const agent = agentOf(async function* () {
      yield 'first';
      await silent.promise;
      yield 'last';
    });
    const clock = new ManualClock();
    const limits = { stallTimeout: STALL, keepAlive: 0, inactivityTimeout: 0 };
    const server = new A2AServer({ agents: [agent], clock, limits, drainTimeout: 0 });
    onTestFinished(() => server.close());
    const stream = await new RpcPeer(server.fetch).request('SendStreamingMessage', sendParams('go'));
    const text = stream.text();
    await clock.advance(10 * STALL);
    silent.resolve();
    expect(await text).toContain('last');
  });
});
