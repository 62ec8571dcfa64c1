import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineParser, type SseFrame } from '../../src/bindings/sse/line-parser.ts';

type ParsedEvent = Omit<SseFrame, 'complete'>;

function parsed(...pieces: readonly string[]): ParsedEvent[] {
  const events: ParsedEvent[] = [];
  const parser = new LineParser(({ event, id, data }) => events.push({ event, id, data }));
  for (const piece of pieces) parser.feed(piece);
  return events;
}

function parsedByOthers(...pieces: readonly string[]): ParsedEvent[] {
  const events: ParsedEvent[] = [];
  // An empty id is one to them.
  const parser = createParser({ onEvent: ({ event, id, data }) => events.push({ event, id: id || undefined, data }) });
  for (const piece of pieces) parser.feed(piece);
  return events;
}

describe('the lines of an event stream [rule:stream.sse-reader]', () => {
  it('reads the fields, and joins several lines of data', () => {
    expect(parsed(': comment\nevent: add\nid: 7\ndata: one\ndata:two\ndata\nretry: 5\n\n')).toEqual([
      { event: 'add', id: '7', data: 'one\ntwo\n' },
    ]);
  });

  it('counts only events with data, and forgets the others', () => {
    expect(parsed('id: 1\nevent: none\n\ndata: x\n\n')).toEqual([{ event: undefined, id: undefined, data: 'x' }]);
  });

  it('takes CR, LF and both for the end of a line, also where a text ends between them', () => {
    expect(parsed('data: a\r', '\n\r', '\ndata: b\r\rdata: c\n\n').map(({ data }) => data)).toEqual(['a', 'b', 'c']);
  });

  it.for([
    ['no header can carry', '\u0442\u0435\u043a\u0441\u0442'],
    ['has a space', '1 2'],
    ['is empty', ''],
    ['is too long', '1'.repeat(1025)],
  ])('drops an id that %s', ([, id]) => {
    expect(parsed(`id: ${id}\ndata: a\n\n`)).toEqual([{ event: undefined, id: undefined, data: 'a' }]);
  });

  it('drops an id with U+0000', () => {
    expect(parsed('data: a\nid: 1\u0000\n\n')).toEqual([{ event: undefined, id: undefined, data: 'a' }]);
  });

  it('reads whatever another parser reads, however it is cut', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        '',
        'data',
        'data: ',
        'data:  x',
        'event:',
        'event: e',
        'id',
        'id:',
        'id: \u0000',
        ':c',
        'x: y',
      ),
      fc.string({ maxLength: 6 }).map((text) => `data:${text.replaceAll('\uFEFF', '')}`),
    );
    const end = fc.constantFrom('\n', '\r', '\r\n');
    const stream = fc.array(
      fc.tuple(line, end).map(([text, ending]) => text + ending),
      { maxLength: 24 },
    );
    const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 6 });
    fc.assert(
      fc.property(stream, cuts, (lines, places) => {
        const text = lines.join('');
        const bounds = [
          0,
          ...places.map((place) => Math.min(place, text.length)).toSorted((a, b) => a - b),
          text.length,
        ];
        const pieces = bounds.slice(1).map((bound, index) => text.slice(bounds[index], bound));
        expect(parsed(...pieces)).toEqual(parsedByOthers(text));
      }),
      { numRuns: 500 },
    );
  });
});
