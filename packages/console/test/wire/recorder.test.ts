import { A2AClient, textOf } from 'parley-a2a/client';
import { describe, expect, it } from 'vitest';
import { FrameSplitter } from '../../src/wire/record/frame-splitter.ts';
import { Recorder } from '../../src/wire/record/recorder.ts';
import { WireLog } from '../../src/wire/record/wire-log.ts';
import { counter, echo, serve } from './echo-server.ts';

const encoder = new TextEncoder();

function responding(chunks: readonly string[], type = 'text/event-stream'): typeof fetch {
  return async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
          controller.close();
        },
      }),
      { headers: { 'content-type': type } },
    );
}

describe('the recorder', () => {
  it('keeps the card, each call with its operation, and each frame as it was sent', async () => {
    const { url } = await serve(echo);
    const recorder = new Recorder(new WireLog());
    const client = new A2AClient(url, recorder.forClient({ url }));
    const { task } = client.sendMessageStream('Hello');
    expect((await task).status.state).toBe('completed');
    const [card, sent] = recorder.log.exchanges();
    expect(card).toMatchObject({
      call: undefined,
      response: { status: 200 },
      isStream: false,
      end: { kind: 'closed' },
    });
    expect(JSON.parse(card?.body ?? '')).toHaveProperty('name', 'echo');
    expect(sent).toMatchObject({ call: { operation: 'sendStreamingMessage' }, isStream: true });
    const bytes = sent?.frames.reduce((sum, { text }) => sum + encoder.encode(text).length, 0);
    expect(bytes).toBe(sent?.received);
    expect(sent?.frames.length).toBeGreaterThan(3);
    for (const { text } of sent?.frames ?? []) expect(text).toMatch(/\n\n$/);
    expect(sent?.request.headers.map(([name]) => name)).not.toContain('x-parley-console-call');
    expect(JSON.parse(sent?.request.body ?? '')).toMatchObject({ method: 'SendStreamingMessage' });
  });

  it('hands on chunks as they come, and reads no further ahead than its reader', async () => {
    let pulled = 0;
    const source = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulled += 1;
            controller.enqueue(encoder.encode(`data: ${pulled}\n\n`));
          },
        },
        { highWaterMark: 0 },
      );
    const inner: typeof fetch = async () =>
      new Response(source(), { headers: { 'content-type': 'text/event-stream' } });
    const recorder = new Recorder(new WireLog(), inner);
    const response = await recorder.fetch('http://agent.test/');
    expect(pulled).toBe(0);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    expect(pulled).toBe(2);
    await reader?.cancel();
    expect(recorder.log.exchanges()[0]).toMatchObject({ end: { kind: 'left' } });
    expect(recorder.log.exchanges()[0]?.frames).toHaveLength(2);
  });

  it('never records what is hidden, in whatever it stands', async () => {
    const { url } = await serve(echo);
    const recorder = new Recorder(new WireLog());
    const client = new A2AClient(url, recorder.forClient({ url }));
    recorder.hide('s3cret "quoted"');
    recorder.hide('42');
    const task = await client.sendMessageStream(['the s3cret "quoted" one', '42', '421']).task;
    expect(textOf(task)).toContain('s3cret');
    const recorded = JSON.stringify(recorder.log.exchanges());
    expect(recorded).not.toContain('s3cret');
    expect(recorded).not.toMatch(/[^0-9.-]42[^0-9.-]/);
    expect(recorded).toContain('421');
    expect(recorded).toContain('the *** one');
  });

  it('tells a failure from a reader who left', async () => {
    const recorder = new Recorder(new WireLog(), async () => {
      throw new TypeError('fetch failed', { cause: new Error('no route') });
    });
    await expect(recorder.fetch('http://agent.test/')).rejects.toThrow('fetch failed');
    expect(recorder.log.exchanges()[0]?.end).toMatchObject({ kind: 'failed', error: 'fetch failed: no route' });
  });

  it('keeps the text of bodies that come in pieces of characters', async () => {
    const whole = encoder.encode('{"text":"é日🎉"}');
    const inner: typeof fetch = async () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            for (const byte of whole) controller.enqueue(Uint8Array.of(byte));
            controller.close();
          },
        }),
      );
    const recorder = new Recorder(new WireLog(), inner);
    expect(await (await recorder.fetch('http://agent.test/')).text()).toBe('{"text":"é日🎉"}');
    expect(recorder.log.exchanges()[0]?.body).toBe('{"text":"é日🎉"}');
  });
});

describe('the log', () => {
  it('keeps the latest exchanges and counts those that went; cards go last', async () => {
    const { at } = await serve(counter);
    const recorder = new Recorder(new WireLog({ exchanges: 4 }));
    const url = at('counter');
    const client = new A2AClient(url, recorder.forClient({ url }));
    for (let number = 0; number < 6; number += 1) await client.run('1');
    const kept = recorder.log.exchanges();
    expect(kept).toHaveLength(4);
    expect(kept[0]?.call).toBeUndefined();
    expect(recorder.log.dropped).toBe(3);
  });

  it('holds no more of one stream, and of all together, than is allowed', async () => {
    const frame = `data: ${'x'.repeat(93)}\n\n`;
    const limits = { exchangeCharacters: 10_000, characters: 25_000 };
    const recorder = new Recorder(new WireLog(limits), responding(Array.from({ length: 500 }, () => frame)));
    for (let number = 0; number < 4; number += 1) await (await recorder.fetch('http://agent.test/')).text();
    for (const { frames, framesDropped } of recorder.log.exchanges()) {
      expect(frames.length + framesDropped).toBe(500);
      expect(frames.length).toBeLessThan(100);
    }
    expect(recorder.log.size).toBeLessThanOrEqual(25_000);
    expect(recorder.log.exchanges().length + recorder.log.dropped).toBe(4);
  });

  it('shows the beginning of a body that is too large, and of a frame', async () => {
    const log = new WireLog({ exchangeCharacters: 100 });
    const recorder = new Recorder(log, responding(['y'.repeat(5000)], 'application/json'));
    expect(await (await recorder.fetch('http://agent.test/')).text()).toHaveLength(5000);
    expect(log.exchanges()[0]).toMatchObject({ body: 'y'.repeat(100), bodyLeftOut: 4900 });
    const streams = new Recorder(log, responding([`data: ${'z'.repeat(5000)}\n\n`]));
    await (await streams.fetch('http://agent.test/')).text();
    expect(log.exchanges().at(-1)?.frames[0]?.text).toHaveLength(101);
  });

  it('tells of many changes once', async () => {
    const waiting: (() => void)[] = [];
    const log = new WireLog({}, (notify) => waiting.push(notify));
    let told = 0;
    log.subscribe(() => {
      told += 1;
    });
    const recorder = new Recorder(log, responding(Array.from({ length: 300 }, () => 'data: 1\n\n')));
    await (await recorder.fetch('http://agent.test/')).text();
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    expect(told).toBe(1);
  });
});

describe('the splitter of frames', () => {
  const split = (text: string, size: number) => {
    const splitter = new FrameSplitter();
    const frames: string[] = [];
    for (let at = 0; at < text.length; at += size) splitter.push(text.slice(at, at + size), (one) => frames.push(one));
    if (splitter.pending > 0) frames.push(splitter.flush());
    return frames;
  };

  it.each([
    ['line feeds', 'id: 1\ndata: a\n\n: hi\n\ndata: b\n\n', 3],
    ['both', 'id: 1\r\ndata: a\r\n\r\ndata: b\r\n\r\n', 2],
    ['carriage returns', 'id: 1\rdata: a\r\rdata: b\r\r', 2],
    ['a frame that was cut off', 'data: a\n\ndata: b', 2],
  ])('finds the same frames in chunks of any size: %s', (_, text, count) => {
    for (let size = 1; size <= text.length; size += 1) {
      const frames = split(text, size);
      expect(frames.join('')).toBe(text);
      expect(frames.filter((frame) => frame.trim() !== '')).toHaveLength(count);
    }
  });
});
