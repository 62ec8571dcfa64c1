import { createParser } from 'eventsource-parser';
import { inputRequired, reply } from 'parley-a2a';
import { withStore } from 'parley-a2a/ports';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { stateOf, statesOf, textOfStream, textOfTask } from '../../support/frames.ts';
import { settle } from '../../support/manual-clock.ts';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang, pause } from '../../support/script.ts';
import { gatedStore } from '../../support/stores/gated-store.ts';

const NASTY = 'line\nline\r\nline\rtab\t"quoted" \\ data: x\n\nid: 99\n\n\u2028\u2029 \u0000 grüße 🦜 \ud800 end';

/** The blocks of a stream's text, each of which an empty line ends. */
function blocksOf(body: string): string[] {
  expect(body.endsWith('\n\n')).toBe(true);
  return body.slice(0, -2).split('\n\n');
}

describe('the response to a streaming call', () => {
  const runs: Readonly<Record<string, Parameters<typeof agentOf>[0]>> = {
    task: () => 'done',
    message: () => reply('Hi'),
  };
  for (const [name, run] of Object.entries(runs)) {
    it(`is HTTP 200 and an event stream that nobody caches or buffers, for a ${name} [rule:stream.sse-type]`, async () => {
      const { peer } = startServer(agentOf(run));
      const response = await peer.request('SendStreamingMessage', sendParams('go'));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream(; ?charset=utf-8)?$/i);
      expect(response.headers.get('cache-control')).toMatch(/no-cache/);
      expect(response.headers.get('cache-control')).toMatch(/no-transform/);
      expect(response.headers.get('x-accel-buffering')).toBe('no');
      await response.text();
    });
  }

  it('is an event stream for a subscription too [rule:stream.sse-type]', async () => {
    const { peer } = startServer(agentOf((task) => hang(task)));
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    const stream = await peer.open('SubscribeToTask', { id });
    const { response } = stream;
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await stream.close();
  });
});

describe('each event', () => {
  it('is an id line, one data line and an empty line [rule:stream.sse-one-line] [rule:resume.frame-id]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        await task.status(NASTY);
        yield NASTY;
        yield 'more';
      }),
    );
    const response = await peer.request('SendStreamingMessage', sendParams(NASTY));
    const blocks = blocksOf(await response.text());
    expect(blocks).toHaveLength(5);
    for (const block of blocks) {
      const lines = block.split('\n');
      expect(lines).toHaveLength(2);
      expect(lines[0]).toMatch(/^id: [1-9]\d*$/);
      expect(lines[1]).toMatch(/^data: \{/);
      expect(block).not.toContain('\r');
      expect(() => JSON.parse(lines[1]?.slice('data: '.length) ?? '')).not.toThrow();
    }
  });

  it('is valid UTF-8 and brings any text unchanged [rule:stream.sse-one-line]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield NASTY;
      }),
    );
    const response = await peer.request('SendStreamingMessage', sendParams('go'));
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const body = decoder.decode(await response.arrayBuffer());
    expect(body).not.toContain('\ufeff');
    const data = body.split('\n').filter((line) => line.startsWith('data: '));
    const frames = data.map((line) => ({ result: JSON.parse(line.slice('data: '.length)).result }));
    expect(textOfStream(frames as never)).toBe(NASTY);
  });

  it('of a direct reply is one data line [rule:stream.sse-one-line]', async () => {
    const { peer } = startServer(agentOf(() => reply(NASTY)));
    const response = await peer.request('SendStreamingMessage', sendParams('go'));
    const blocks = blocksOf(await response.text());
    expect(blocks).toHaveLength(1);
    const data = blocks[0]?.split('\n').filter((line) => line.startsWith('data: '));
    expect(data).toHaveLength(1);
    expect(JSON.parse(data?.[0]?.slice('data: '.length) ?? '').result.message.parts).toEqual([{ text: NASTY }]);
  });
});

describe('an idle stream', () => {
  it('carries comments (S0.11) [rule:stream.sse-keep-alive]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'before ';
        await go.promise;
        yield 'after';
      }),
      { limits: { keepAlive: 20 } },
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    const reading = stream.rest();
    await eventually(() => stream.comments.length).toBeGreaterThanOrEqual(3);
    for (const comment of stream.comments) expect(comment).toMatch(/^:[^\n]*$/);
    go.resolve();
    const frames = await reading;
    expect(textOfStream(frames)).toBe('before after');
    expect(stateOf(frames.at(-1))).toBe('TASK_STATE_COMPLETED');
  });

  it('carries them while the task waits for its caller, and before the first event [rule:stream.sse-keep-alive]', async () => {
    const { peer } = startServer(
      agentOf(async (task) => task.ask('Which one?')),
      { limits: { keepAlive: 20 } },
    );
    const { id } = await peer.send('go');
    const waiting = await peer.open('SubscribeToTask', { id });
    const resumed = await peer.open('SubscribeToTask', { id }, { 'last-event-id': '4' });
    const reading = [waiting.rest(), resumed.rest()];
    await eventually(() => Math.min(waiting.comments.length, resumed.comments.length)).toBeGreaterThanOrEqual(2);
    await peer.send('this', { taskId: id });
    for (const frames of await Promise.all(reading)) expect(stateOf(frames.at(-1))).toBe('TASK_STATE_COMPLETED');
  });

  it('carries one at least every 30 seconds if nothing else is set [rule:stream.sse-keep-alive]', async () => {
    const { peer } = startServer(agentOf((task) => hang(task)));
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const stream = await peer.open('SubscribeToTask', { id });
    const reading = stream.rest();
    for (let minutes = 1; minutes <= 3; minutes += 1) {
      for (let half = 0; half < 2; half += 1) {
        const before = stream.comments.length;
        await vi.advanceTimersByTimeAsync(30_000);
        await settle();
        expect(stream.comments.length).toBeGreaterThan(before);
      }
    }
    await peer.call('CancelTask', { id });
    expect(stateOf((await reading).at(-1))).toBe('TASK_STATE_CANCELED');
  });

  it('carries none where the time is set to 0', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'before ';
        await pause(60);
        yield 'after';
      }),
      { limits: { keepAlive: 0 } },
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    expect(textOfStream(await stream.rest())).toBe('before after');
    expect(stream.comments).toEqual([]);
  });

  it('carries none while there are events [rule:stream.sse-keep-alive]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        for (let index = 0; index < 20; index += 1) {
          yield '.';
          await pause(5);
        }
      }),
      { limits: { keepAlive: 20_000 } },
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    expect(textOfStream(await stream.rest())).toBe('.'.repeat(20));
    expect(stream.comments).toEqual([]);
  });
});

describe('a stream limit', () => {
  it('ends the stream so that it can be resumed, and leaves the task running [rule:stream.limit]', async () => {
    const go = gate();
    const { peer, server } = startServer(
      agentOf(async function* () {
        yield 'before ';
        await go.promise;
        yield 'after';
      }),
      { limits: { streamTimeout: 500, keepAlive: 20 } },
    );
    const began = Date.now();
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(Date.now() - began).toBeGreaterThanOrEqual(450);
    expect(textOfStream(frames)).toBe('before ');
    expect(statesOf(frames)).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);
    for (const { response } of frames) expect(response).not.toHaveProperty('error');
    expect(server.load.subscriptions).toBe(0);
    const { id } = frames[0]?.result.task ?? {};
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    go.resolve();
    const rest = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(frames.at(-1)?.id) });
    expect(textOfStream(rest)).toBe('after');
    expect(stateOf(rest.at(-1))).toBe('TASK_STATE_COMPLETED');
  });

  it('ends a stream that is never idle too, and nothing is lost in between [rule:stream.limit]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        for (let index = 0; index < 200; index += 1) {
          yield `${index} `;
          await pause(1);
        }
      }),
      { limits: { streamTimeout: 50 } },
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    const { id } = frames[0]?.result.task ?? {};
    let connections = 1;
    while (stateOf(frames.at(-1)) !== 'TASK_STATE_COMPLETED') {
      frames.push(...(await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(frames.at(-1)?.id) })));
      connections += 1;
    }
    expect(connections).toBeGreaterThan(1);
    expect(textOfStream(frames)).toBe(Array.from({ length: 200 }, (_, index) => `${index} `).join(''));
    expect(textOfTask(await peer.call('GetTask', { id }))).toBe(textOfStream(frames));
  });
});

describe('a stream that the server ends before its task', () => {
  const RETRY = 'retry: 1000\n';
  const writing = () =>
    agentOf(async function* (task) {
      yield 'before ';
      await hang(task);
    });

  it('at its limit says when to come back, and no event with it [rule:stream.limit]', async () => {
    const { peer } = startServer(writing(), { limits: { streamTimeout: 60 } });
    const response = await peer.request('SendStreamingMessage', sendParams('go'));
    const text = await response.text();
    expect(text.endsWith(`\n\n${RETRY}`)).toBe(true);
    const retries: number[] = [];
    const events: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => events.push(data), onRetry: (ms) => retries.push(ms) });
    parser.feed(text);
    expect(retries).toEqual([1000]);
    expect(events).toHaveLength(text.split('\n\n').length - 1);
    expect(events.every((data) => JSON.parse(data).result)).toBe(true);
  });

  it('because it stops says so too', async () => {
    const { peer, server } = startServer(agentOf(() => inputRequired('which?')));
    const { id } = await peer.send('go');
    const response = await peer.request('SubscribeToTask', { id });
    const text = response.text();
    await server.close();
    expect((await text).endsWith(`\n\n${RETRY}`)).toBe(true);
  });

  it('has nothing of it at the end of the task', async () => {
    const { peer } = startServer(agentOf(() => 'done'));
    const response = await peer.request('SendStreamingMessage', sendParams('go'));
    expect(await response.text()).not.toContain('retry:');
  });
});

it('ends with one error frame under the id of the request when the store is lost', async () => {
  const { store } = gatedStore();
  const go = gate();
  let broken = false;
  const breaking = withStore(store, { commit: async (entries) => (broken ? [] : store.commit(entries)) });
  const { peer } = startServer(
    agentOf(async function* () {
      yield 'before';
      await go.promise;
      yield 'lost';
    }),
    { store: breaking },
  );
  const stream = await peer.open('SendStreamingMessage', sendParams('go'));
  await stream.until((frame) => frame.result.artifactUpdate !== undefined);
  broken = true;
  go.resolve();
  const rest = await stream.rest();
  expect(rest).toHaveLength(1);
  expect(rest[0]?.response).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32603 } });
  expect(rest[0]?.response).not.toHaveProperty('result');
});
