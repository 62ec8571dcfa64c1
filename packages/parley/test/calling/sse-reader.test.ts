import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SseFrame, SseParser, SseReader } from '../../src/bindings/sse/reader.ts';
import { collected, errorOf } from './support/callers.ts';

const LIMIT = 100_000;
const encoder = new TextEncoder();

function parsed(pieces: readonly Uint8Array[], limit = LIMIT): SseFrame[] {
  const parser = new SseParser(limit);
  for (const piece of pieces) parser.push(piece);
  if (parser.failure) throw parser.failure;
  parser.end();
  return parser.frames;
}

const parse = (text: string) => parsed([encoder.encode(text)]);
const dataOf = (text: string) => parse(text).map(({ data }) => data);

function bodyOf(...pieces: readonly (Uint8Array | string)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
}

function readerOf(body: ReadableStream<Uint8Array>, signal?: AbortSignal, eventBytes = LIMIT): SseReader<SseFrame> {
  return new SseReader({ body, eventBytes, signal }, (frame) => [frame]);
}

describe('the events of a stream [rule:stream.sse-reader]', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['all of them', 'data: a\r\n\ndata: b\n\r\n'],
    ['no space', 'data:a\n\ndata:b\n\n'],
    ['comments', ':\n: hi\n\n:hi\ndata: a\n:x\n\n: y\n\ndata: b\n\n'],
    ['unknown fields', 'retry: 5\nfoo: bar\nfoo\ndata: a\n\nevent: other\ndata: b\n\n'],
    ['a byte order mark', '\ufeffdata: a\n\ndata: b\n\n'],
    ['no blank line at the end', 'data: a\n\ndata: b\n'],
    ['no line end at the end', 'data: a\n\ndata: b'],
  ])('are read with %s', (_, text) => {
    expect(dataOf(text)).toEqual(['a', 'b']);
  });

  it('join several lines of data, and keep all but one leading space', () => {
    expect(dataOf('data: {\ndata:  "a": 1\ndata: }\n\n')).toEqual(['{\n "a": 1\n}']);
    expect(dataOf('data\n\n')).toEqual(['']);
    expect(dataOf('id: 1\n\nevent: x\n\n')).toEqual([]);
  });

  it('have their own id and name only', () => {
    expect(parse('id: 1\nevent: error\ndata: a\n\ndata: b\n\nid:\ndata: c\n\n')).toEqual([
      { id: '1', event: 'error', data: 'a', complete: true },
      { id: undefined, event: undefined, data: 'b', complete: true },
      { id: undefined, event: undefined, data: 'c', complete: true },
    ]);
  });

  it('say when they may be cut off, and then have no id that may be', () => {
    expect(parse('id: 12\ndata: a')).toEqual([{ id: '12', event: undefined, data: 'a', complete: false }]);
    expect(parse('data: a\nid: 12')).toEqual([{ id: undefined, event: undefined, data: 'a', complete: false }]);
    expect(parse('data: a\nid: 12\n')).toEqual([{ id: '12', event: undefined, data: 'a', complete: false }]);
  });

  it('are the same however the bytes are cut', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
      fc.nat().map((id) => `id: ${id}`),
      fc.constantFrom('', '', ': comment', 'event: error', 'junk', 'data'),
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc.array(fc.tuple(line, end), { maxLength: 20 }).map((lines) => lines.flat().join(''));
    const cuts = fc.array(fc.nat(200), { maxLength: 12 });
    fc.assert(
      fc.property(text, cuts, fc.boolean(), (content, places, withMark) => {
        const bytes = encoder.encode(withMark ? `\ufeff${content}` : content);
        const sorted = [...new Set(places.map((place) => Math.min(place, bytes.length)))].sort((a, b) => a - b);
        const edges = [0, ...sorted, bytes.length];
        const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        expect(parsed(pieces)).toEqual(parsed([bytes]));
        expect(parsed(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(parsed([bytes]));
      }),
    );
  });

  it('have U+FFFD in the place of invalid UTF-8', () => {
    const bytes = Uint8Array.from([
      ...encoder.encode('data: a'),
      0xff,
      0xc3,
      ...encoder.encode('\n\ndata: b\n\n'),
      0xe2,
    ]);
    expect(parsed([bytes]).map(({ data }) => data)).toEqual(['a\ufffd\ufffd', 'b']);
  });
});

describe('what a stream may cost [rule:stream.sse-reader]', () => {
  /** Gives the same piece for ever and counts how often it was asked. */
  function endless(piece: string): { readonly body: ReadableStream<Uint8Array>; readonly given: () => number } {
    const bytes = encoder.encode(piece);
    let given = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += bytes.length;
          controller.enqueue(bytes);
        },
      },
      { highWaterMark: 0 },
    );
    return { body, given: () => given };
  }

  it.each([
    ['an endless line of data', 'x'.repeat(4096)],
    ['endless lines of data', 'data: x\n'],
    ['garbage without lines', '\u0001'.repeat(4096)],
    ['garbage in lines', `${'?'.repeat(1000)}\n`],
    ['comments', ': are you there?\n\n'],
    ['ids', 'id: 1\n\n'],
  ])('ends %s after the limit', async (name, piece) => {
    const { body, given } = endless(piece);
    const first = name.includes('line of data') ? bodyStartingWith('data: ', body) : body;
    const error = await errorOf(collected(readerOf(first)));
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE' });
    expect(error.message).toContain(String(LIMIT));
    expect(given()).toBeLessThan(LIMIT + 2 * 65_536);
  });

  it('is counted for each event, not for the stream', async () => {
    const event = `data: ${'x'.repeat(1000)}\n\n`;
    const frames = await collected(readerOf(bodyOf(...Array.from({ length: 500 }, () => event))));
    expect(frames).toHaveLength(500);
    expect(await collected(readerOf(bodyOf(event.repeat(500))))).toHaveLength(500);
  });

  it('lets what came before the failure through', async () => {
    const reader = readerOf(bodyOf(`data: a\n\ndata: ${'x'.repeat(200_000)}\n\n`));
    expect(await reader.next()).toMatchObject({ value: { data: 'a' } });
    expect((await errorOf(reader.next())).code).toBe('INVALID_RESPONSE');
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it('is small for one event that is too large in one piece', async () => {
    expect((await errorOf(collected(readerOf(bodyOf(`data: ${'x'.repeat(50)}\n\n`), undefined, 20)))).code).toBe(
      'INVALID_RESPONSE',
    );
  });

  function bodyStartingWith(start: string, rest: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = rest.getReader();
    let started = false;
    return new ReadableStream(
      {
        async pull(controller) {
          if (started) controller.enqueue((await reader.read()).value ?? new Uint8Array());
          else controller.enqueue(encoder.encode(start));
          started = true;
        },
      },
      { highWaterMark: 0 },
    );
  }
});

describe('a reader of a response', () => {
  it('ends at [DONE] and lets go of the response', async () => {
    let canceled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode('data: a\n\ndata: [DONE]\n\ndata: b\n\n')),
      cancel: () => {
        canceled = true;
      },
    });
    expect((await collected(readerOf(body))).map(({ data }) => data)).toEqual(['a']);
    expect(canceled).toBe(true);
  });

  it('returns at once while it waits', async () => {
    let canceled = false;
    const body = new ReadableStream<Uint8Array>({
      cancel: () => {
        canceled = true;
      },
    });
    const reader = readerOf(body);
    const waiting = reader.next();
    await reader.return();
    expect(canceled).toBe(true);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it('throws the reason of its signal, whether it waits or not', async () => {
    for (const waits of [true, false]) {
      const controller = new AbortController();
      const reader = readerOf(new ReadableStream(), controller.signal);
      const waiting = waits ? reader.next() : undefined;
      const outcome = waiting?.catch((error: unknown) => error);
      controller.abort(new Error('enough'));
      if (outcome) expect(await outcome).toMatchObject({ message: 'enough' });
      else await expect(reader.next()).rejects.toThrow('enough');
    }
  });

  it('tells a connection that was lost from a stream that ended', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode('data: a\n\ndata: b'));
      },
      pull(controller) {
        controller.error(new TypeError('terminated'));
      },
    });
    const reader = readerOf(body);
    expect(await reader.next()).toMatchObject({ value: { data: 'a' } });
    expect((await errorOf(reader.next())).code).toBe('UNREACHABLE');
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it('serves calls that do not wait for each other in their order', async () => {
    const reader = readerOf(bodyOf('data: a\n\nda', 'ta: b\n\n', 'data: c\n\n'));
    const steps = await Promise.all([reader.next(), reader.next(), reader.next(), reader.next()]);
    expect(steps.map(({ value }) => value?.data)).toEqual(['a', 'b', 'c', undefined]);
  });
});
