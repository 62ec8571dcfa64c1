import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import type { Host } from '../support/host.ts';
import { hosted } from '../support/hosted.ts';

const MEGABYTE = 1024 * 1024;
const LIMIT = 100_000;
const VERSIONED = { 'content-type': 'application/json', 'a2a-version': '1.0' };

export function bodiesContract(host: Host): void {
  it('takes bodies of some megabytes', async () => {
    const { peer } = await hosted(host);
    const task = await peer.send(`length ${'é'.repeat(3 * MEGABYTE)}`, {}, { historyLength: 0 });
    expect(task.artifacts[0].parts).toEqual([{ text: `${3 * MEGABYTE} characters` }]);
  });

  it.each([
    'announced',
    'in pieces',
  ])('refuses a body above the limit (%s) in the shape of the binding', async (how) => {
    const { base, peer } = await hosted(host, { server: { limits: { bodyBytes: LIMIT } } });
    const { message } = sendParams('x'.repeat(2 * LIMIT));
    const call = { jsonrpc: '2.0', id: 7, method: 'SendMessage', params: { message } };
    for (const [path, body] of [
      ['/a2a', call],
      ['/a2a/message:send', { message }],
    ] as const) {
      const text = JSON.stringify(body);
      const sent = how === 'announced' ? text : inPieces(text);
      const init = { method: 'POST', headers: VERSIONED, body: sent, duplex: 'half' } as RequestInit;
      const response = await fetch(`${base}${path}`, init);
      expect(response.status).toBe(413);
      const { error, jsonrpc }: Wire = await response.json();
      expect(error.message).toContain(`${LIMIT} bytes`);
      expect([jsonrpc, error.code]).toEqual(path === '/a2a' ? ['2.0', -32600] : [undefined, 413]);
    }
    expect((await peer.send('Ada')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('forgets a request that breaks off inside its body', async () => {
    const { url, peer, load } = await hosted(host);
    const before = await load();
    for (const head of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const part = head.startsWith('Content') ? '{"jsonrpc"' : 'a\r\n{"jsonrpc"\r\n';
      socket.write(`POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n\r\n${part}`);
      await new Promise<void>((resolve) => socket.once('ready', resolve));
      await new Promise<void>((resolve) => socket.end(resolve));
      socket.resetAndDestroy();
    }
    expect((await peer.send('Ada')).status.state).toBe('TASK_STATE_COMPLETED');
    await eventually(async () => (await load()).subscriptions).toBe(before.subscriptions);
  });

  for (const parsing of host.parsing.filter((kind) => kind !== 'lost')) {
    it(`takes a body that the app has made into ${parsing}`, async () => {
      const { base, peer } = await hosted(host, { parsing });
      expect((await peer.send('Ada')).artifacts[0].parts).toEqual([{ text: 'Hello, Ada!' }]);
      const frames = await peer.stream('SendStreamingMessage', sendParams('Ada'));
      expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
      const { error } = await peer.respond('SendMessage', { message: { parts: 'none' } });
      expect(error.code).toBe(-32602);
      // Bodies may be left out here, whatever the middleware makes of nothing.
      const steps = (await peer.send('steps', {}, { returnImmediately: true })).id;
      const canceled = await fetch(`${base}/a2a/tasks/${steps}:cancel`, { method: 'POST', headers: VERSIONED });
      expect(((await canceled.json()) as Wire).status.state).toBe('TASK_STATE_CANCELED');
    });
  }

  if (host.parsing.includes('lost')) {
    it('says so when the app has read the body and left nothing', async () => {
      const { base, peer } = await hosted(host, { parsing: 'lost' });
      const { error } = await peer.respond('SendMessage', sendParams('Ada'));
      expect(error).toMatchObject({
        code: -32603,
        message: expect.stringContaining('The body was read before it came'),
      });
      const body = JSON.stringify(sendParams('Ada'));
      const rest = await fetch(`${base}/a2a/message:send`, { method: 'POST', headers: VERSIONED, body });
      expect([rest.status, ((await rest.json()) as Wire).error.message]).toEqual([500, error.message]);
    });
  }
}

function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / 10);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}
