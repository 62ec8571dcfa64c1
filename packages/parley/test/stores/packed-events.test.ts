import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../src/engine/log/events.ts';
import { lastSeqOf, pack, unpack } from '../../src/stores/packed-events.ts';

type Unnumbered = TaskEvent extends infer Event ? (Event extends TaskEvent ? Omit<Event, 'seq'> : never) : never;

const time = fc.integer({ min: 0, max: 3 }).map((later) => 1_000 + later);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.constantFrom('', '\ud83d', '\ude00', '\u0000'));

/** Mostly pieces of a streamed text, with whatever may come in between. */
const artifactEvent: fc.Arbitrary<Unnumbered> = fc
  .record({
    time,
    artifactId: fc.constantFrom('a', 'b'),
    text,
    continues: fc.constantFrom(true, true, true, false, undefined),
    lastChunk: fc.constantFrom(false, false, false, true),
    mediaType: fc.constantFrom(undefined, undefined, undefined, 'text/html'),
    more: fc.constantFrom(false, false, false, true),
  })
  .map(({ artifactId, mediaType, more, continues, ...event }) => ({
    kind: 'artifact',
    time: event.time,
    artifact: {
      artifactId,
      parts: [
        { kind: 'text', text: event.text, ...(mediaType ? { mediaType } : {}) },
        ...(more ? [{ kind: 'data', data: null } as const] : []),
      ],
    },
    append: continues === true,
    lastChunk: event.lastChunk,
    continues,
  }));

const otherEvent: fc.Arbitrary<Unnumbered> = time.map((at) => ({
  kind: 'status',
  time: at,
  status: { state: 'working', timestamp: new Date(at).toISOString() },
  consumed: 2,
}));

const log: fc.Arbitrary<readonly TaskEvent[]> = fc
  .record({
    from: fc.integer({ min: 1, max: 9 }),
    events: fc.array(fc.oneof({ weight: 6, arbitrary: artifactEvent }, otherEvent)),
  })
  .map(({ from, events }) => events.map((event, index) => ({ ...event, seq: from + index }) as TaskEvent));

describe('packed events', () => {
  it('are the same events again, also after JSON and from any position on', () => {
    fc.assert(
      fc.property(log, fc.nat({ max: 30 }), (events, after) => {
        const packed = JSON.parse(JSON.stringify(pack(events))) as ReturnType<typeof pack>;
        const unpacked = packed.flatMap((entry) => [...unpack(entry, after)]);
        expect(unpacked).toEqual(events.filter((event) => event.seq > after));
        expect(packed.map(lastSeqOf).at(-1)).toBe(events.at(-1)?.seq);
      }),
    );
  });

  it('take one entry for the pieces of a text', () => {
    const pieces: TaskEvent[] = Array.from({ length: 100 }, (_, index) => ({
      kind: 'artifact',
      seq: index + 5,
      time: 1,
      artifact: { artifactId: 'a', parts: [{ kind: 'text', text: `${index} ` }] },
      append: true,
      lastChunk: false,
      continues: true,
    }));
    expect(pack(pieces)).toHaveLength(1);
  });
});
