import { ClientFactory } from '@a2a-js/sdk/client';
import { A2AServer } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { echo } from '../../../../examples/agents/echo.ts';
import { lab } from '../../../../examples/agents/lab.ts';
import { messageOf, sending, textOf } from '../interop/messages.ts';
import { eventually } from '../support/eventually.ts';
import { httpPost } from '../support/http.ts';
import { RestPeer } from '../support/rest.ts';
import { type RpcFrame, RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { nextAdapter } from './lab-app.ts';
import type { StartedApp } from './next-app.ts';

/** Compiling takes its time on a small machine. */
const SLOW = 180_000;
const CARD = '/.well-known/agent-card.json';
/** Works for ten minutes after its first output, unless it is canceled. */
const ENDLESS = 'chunk 3 16\nwait 600000';

describe('next build && next start [seed:S3.1]', () => {
  const database = 'lab.db';
  let started: StartedApp;
  beforeAll(async () => {
    started = await nextAdapter.start({}, database);
  }, SLOW);
  afterAll(async () => {
    await started?.stop();
    await nextAdapter.dispose();
  });

  const rpc = (agent = 'lab') => new RpcPeer(fetch, `${started.url}/a2a/agents/${agent}`);
  const rest = () => new RestPeer(fetch, `${started.url}/a2a`);
  const load = async (): Promise<Wire> => (await fetch(`${started.url}/load`)).json();
  const cancel = (id: string) => rpc().call('CancelTask', { id });

  describe('the card', () => {
    it('has the addresses that the client used', async () => {
      const card: Wire = await (await fetch(started.url + CARD)).json();
      expect(card).toMatchObject({ name: 'lab', url: `${started.url}/a2a` });
      expect(urlsOf(card)).toEqual([`${started.url}/a2a`]);
      const one: Wire = await (await fetch(`${started.url}/a2a/agents/echo${CARD}`)).json();
      expect(urlsOf(one)).toEqual([`${started.url}/a2a/agents/echo`]);
    });

    it('believes no stranger who says how the client got here', async () => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test', 'x-forwarded-port': '1' };
      const card = await (await fetch(started.url + CARD, { headers })).json();
      expect(urlsOf(card)).toEqual([`${started.url}/a2a`]);
    });

    it('is not sent again where it has not changed, and its headers can be asked for alone', async () => {
      const head = await fetch(started.url + CARD, { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(head.headers.get('content-type')).toMatch(/^application\/json/);
      expect(head.headers.get('vary')?.toLowerCase()).toContain('a2a-version');
      expect(await head.text()).toBe('');
      const etag = head.headers.get('etag') ?? '';
      const again = await fetch(started.url + CARD, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    });
  });

  it('sends in 1.0 and 0.3, over JSON-RPC and HTTP+JSON', async () => {
    expect((await rpc('echo').send('hello')).parts).toEqual([{ text: 'hello' }]);
    const older = { jsonrpc: '2.0', id: 7, method: 'message/send', params: { message: olderMessage('reply hi') } };
    const reply: Wire = await (await rpc().post(JSON.stringify(older))).json();
    expect(reply).toMatchObject({ id: 7, result: { kind: 'message', parts: [{ text: 'hi' }] } });
    const sent = await rest().call('POST', '/message:send', sendParams('chunk 2 16'));
    expect(sent.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await rest().call('GET', `/tasks/${sent.task.id}`)).toMatchObject({ id: sent.task.id });
  });

  it('serves the routes of 0.3 at the root', async () => {
    const sent: Wire = await (
      await new RestPeer(fetch, started.url).raw('/v1/message:send', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: olderMessage('reply hi') }),
      })
    ).json();
    expect(JSON.stringify(sent)).toContain('"hi"');
  });

  it('answers with and without a trailing slash, without a redirect', async () => {
    const card = await fetch(`${started.url + CARD}/`, { redirect: 'manual' });
    expect(card.status).toBe(200);
    expect((await rpc('echo/').send('hello')).parts).toEqual([{ text: 'hello' }]);
  });

  it('streams frame by frame', async () => {
    const stream = await rpc().open('SendStreamingMessage', sendParams(ENDLESS));
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const frames = await stream.until((frame) => chunksOf([frame]).length > 0);
    const id = taskIdOf(frames);
    // What was read is there while the task is still at work.
    expect(await rpc().call('GetTask', { id })).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
    await cancel(id);
    const rest = await stream.rest();
    expect(rest.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_CANCELED');
  });

  it.for([
    ['', {}],
    [', also where a header says https', { 'x-forwarded-proto': 'https' }],
  ] as const)('frees the stream of a client that leaves, and works on%s', async ([, headers]) => {
    await eventually(async () => (await load()).subscriptions).toBe(0);
    const stream = await rpc().open('SendStreamingMessage', sendParams(ENDLESS), headers);
    const id = taskIdOf(await stream.until((frame) => chunksOf([frame]).length > 0));
    expect((await load()).subscriptions).toBe(1);
    await stream.close();
    await eventually(async () => (await load()).subscriptions).toBe(0);
    expect(await rpc().call('GetTask', { id })).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
    await cancel(id);
  });

  it('resumes a stream after the last frame that was seen', async () => {
    const stream = await rpc().open('SendStreamingMessage', sendParams('chunk 20 16 5\nask More?\nchunk 3 16'));
    const before = await stream.until((frame) => chunksOf([frame]).length > 0);
    await stream.close();
    const id = taskIdOf(before);
    const last = String(before.at(-1)?.id);
    const resumed = await rpc().open('SubscribeToTask', { id }, { 'last-event-id': last });
    const middle = await resumed.until((frame) => stateOf(frame) === 'TASK_STATE_INPUT_REQUIRED');
    await rpc().send('yes', { taskId: id });
    const after = await resumed.rest();
    expect(after.at(-1)).toSatisfy((frame: RpcFrame) => stateOf(frame) === 'TASK_STATE_COMPLETED');
    const ids = [...before, ...middle, ...after].map((frame) => frame.id ?? 0);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    const chunks = chunksOf([...before, ...middle, ...after]).filter((text) => /^\d{4}:/.test(text));
    expect(chunks.map((text) => Number(text.slice(0, 4)))).toEqual([...count(20), ...count(3)]);
  });

  it('answers mistakes as the server does', async () => {
    expect(await rpc().error('NoSuchMethod')).toMatchObject({ code: -32601 });
    expect(await rpc().error('GetTask', { id: 'none' })).toMatchObject({ code: -32001 });
    const malformed = await rpc().post('{"jsonrpc":', { 'a2a-version': '1.0' });
    expect(malformed.status).toBe(200);
    expect(await malformed.json()).toMatchObject({ error: { code: -32700 } });
    expect(await rest().error('GET', '/tasks/none')).toMatchObject({ status: 404, error: { status: 'NOT_FOUND' } });
    const nowhere = await fetch(`${started.url}/nowhere/at/all`);
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toMatchObject({ error: { code: 404 } });
    expect((await rest().raw('', { method: 'PUT', body: '{}' })).status).toBe(405);
  });

  it.for(['OPTIONS', 'DELETE', 'HEAD', 'GET'])('leaves %s to the server', async (method) => {
    const plain = new A2AServer({ agents: [lab, echo] });
    const init = { method, headers: { 'a2a-version': '1.0' } };
    for (const path of ['/a2a', '/a2a/tasks/none', '/a2a/tasks/none/pushNotificationConfigs/one']) {
      const [theirs, ours] = await Promise.all([
        fetch(started.url + path, init),
        plain.fetch(new Request(started.url + path, init)),
      ]);
      const shown = async (response: Response) => [
        response.status,
        response.headers.get('allow'),
        await response.text(),
      ];
      expect(await shown(theirs)).toEqual(await shown(ours));
    }
    await plain.close();
  });

  it('takes bodies of some megabytes and refuses those that are too large', async () => {
    const text = 'ä'.repeat(2_000_000);
    expect((await rpc('echo').send(text)).parts).toEqual([{ text }]);
    const tooLarge = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: sendParams('x'.repeat(17e6)),
    });
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const refused = await httpPost(`${started.url}/a2a`, headers, tooLarge);
    expect([refused.status, refused.body]).toEqual([413, expect.stringContaining('16')]);
  });

  it('talks to the client of the official SDK', async () => {
    const client = await new ClientFactory().createFromUrl(started.url, `/a2a/agents/echo${CARD}`);
    expect(textOf(messageOf(await client.sendMessage(sending('hello'))).parts)).toBe('hello');
    const worker = await new ClientFactory().createFromUrl(started.url);
    const cases: (string | undefined)[] = [];
    for await (const event of worker.sendMessageStream(sending('chunk 3 16'))) cases.push(event.payload?.$case);
    expect(cases[0]).toBe('task');
    expect(cases.filter((name) => name === 'artifactUpdate')).toHaveLength(3);
    expect(cases.at(-1)).toBe('statusUpdate');
  });

  it('keeps its tasks when the app is started again', async () => {
    const { id, artifacts } = await rpc().send('chunk 3 16');
    await started.stop();
    started = await nextAdapter.start({ url: 'https://agents.test/below' }, database);
    expect(await rpc().call('GetTask', { id })).toMatchObject({ id, artifacts });
    // And what the settings say about the address is what clients are told.
    expect(urlsOf(await (await fetch(started.url + CARD)).json())).toContain('https://agents.test/below/a2a');
    expect(started.output()).not.toMatch(/error|warning/i);
  });
});

function urlsOf(card: Wire): string[] {
  return [...new Set<string>(card.supportedInterfaces.map((one: Wire) => one.url))];
}

function taskIdOf([first]: readonly RpcFrame[]): string {
  return first?.result.task.id;
}

function stateOf(frame: RpcFrame): string | undefined {
  return frame.result.statusUpdate?.status.state;
}

function chunksOf(frames: readonly RpcFrame[]): string[] {
  return frames.flatMap((frame) => frame.result.artifactUpdate?.artifact.parts.map((part: Wire) => part.text) ?? []);
}

function count(to: number): number[] {
  return Array.from({ length: to }, (_, index) => index + 1);
}

function olderMessage(text: string): Wire {
  return { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'text', text }] };
}
