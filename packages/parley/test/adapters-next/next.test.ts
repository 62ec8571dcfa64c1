import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { adapterContract } from '../adapters/contract.ts';
import { hosted } from '../adapters/support/hosted.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { ContractApp } from './contract-app.ts';
import type { StartedApp } from './next-app.ts';
import { NextHost } from './next-host.ts';

describe('next build && next start [seed:S3.1]', () => {
  let app: ContractApp;
  const host = new NextHost(() => app);
  beforeAll(async () => {
    app = await ContractApp.build();
  });
  afterAll(async () => {
    await host.stopAll();
    app?.remove();
  });

  adapterContract(host);

  it('frees the stream of a client that leaves, also where a header says https', async () => {
    const { peer, load } = await hosted(host);
    const stream = await peer.open('SendStreamingMessage', sendParams('steps'), { 'x-forwarded-proto': 'https' });
    await stream.next();
    expect((await load()).subscriptions).toBe(1);
    await stream.close();
    await eventually(async () => (await load()).subscriptions).toBe(0);
  });

  it('holds little for a client that does not read its 40 MB', async () => {
    const { url, stop } = await app.start({}, 'flood.db');
    onTestFinished(stop);
    const load = async (): Promise<Wire> => (await fetch(`${url}/load`)).json();
    const peer = new RpcPeer(fetch, `${url}/a2a`);
    const params = { ...sendParams('flood 640'), configuration: { returnImmediately: true } };
    // What is needed only once is there after the first time.
    await peer.send('flood 40');
    const before = await load();
    const stalled = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void stalled.destroy());
    const { task } = await peer.call('SendMessage', params);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: task.id } });
    stalled.write(
      `POST /a2a HTTP/1.1\r\nhost: localhost\r\na2a-version: 1.0\r\nlast-event-id: 1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    stalled.pause();
    const stateOf = async () => (await peer.call('ListTasks', { contextId: task.contextId })).tasks[0].status.state;
    await eventually(stateOf).toBe('TASK_STATE_COMPLETED');
    await eventually(async () => (await load()).subscriptions).toBe(1);
    // What the task itself needed goes once it is on disk; the reader is still there.
    await eventually(async () => (await load()).held - before.held).toBeLessThan(4 * 1024 * 1024);
    expect((await load()).subscriptions).toBe(1);
  });

  it('keeps its tasks when the app is started again', async () => {
    const started = async (options = {}) => {
      const { url, output, stop } = await app.start(options, 'kept.db');
      onTestFinished(stop);
      return { url, output, stop, peer: new RpcPeer(fetch, `${url}/a2a`) };
    };
    const first = await started();
    const { id, artifacts } = await first.peer.send('Ada');
    await first.stop();
    const second = await started({ server: { url: 'https://agents.test/below' } });
    expect(await second.peer.call('GetTask', { id })).toMatchObject({ id, artifacts });
    // And what the settings say about the address is what clients are told.
    const card: Wire = await (await fetch(`${second.url}/.well-known/agent-card.json`)).json();
    expect(card.url).toBe('https://agents.test/below/a2a');
    for (const { output } of [first, second]) expect(output()).not.toMatch(/error|warning/i);
  });

  it('ends at its start on a file that another process has', async () => {
    const first = await app.start({}, 'taken.db');
    onTestFinished(first.stop);
    // Next 14 calls `register` with the first request.
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    // Next may say that it is ready before it has started.
    const second = await app.start({}, 'taken.db').catch((error: unknown) => error);
    if (isStarted(second)) {
      onTestFinished(second.stop);
      await fetch(second.url).catch(() => undefined);
    }
    const [code, said] = isStarted(second) ? [await second.ended, second.output()] : [1, String(second)];
    expect(code).toBe(1);
    expect(said.split('\n').filter((line) => line.includes('taken.db'))).toEqual([
      'taken.db is in use by another server: stop that one first or give this one another file.',
    ]);
  });
});

function isStarted(value: unknown): value is StartedApp {
  return typeof value === 'object' && value !== null && 'ended' in value;
}
