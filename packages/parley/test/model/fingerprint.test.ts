import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fingerprintOf } from '../../src/model/basics/fingerprint.ts';

it('is the same for equal texts, and another one for texts that differ anywhere', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 0xffff }),
      (text, at, by) => {
        expect(fingerprintOf(text)).toBe(fingerprintOf(`${text}`));
        expect(fingerprintOf(`${text}\0`)).not.toBe(fingerprintOf(text));
        if (text === '') return;
        const place = at % text.length;
        const other = String.fromCharCode(text.charCodeAt(place) ^ by);
        expect(fingerprintOf(text.slice(0, place) + other + text.slice(place + 1))).not.toBe(fingerprintOf(text));
      },
    ),
  );
});

it('differs for a hundred thousand numbers, in each quarter of it too', () => {
  const all = Array.from({ length: 100_000 }, (_, index) => fingerprintOf(`["task",${index},"alice"]`));
  expect(new Set(all).size).toBe(all.length);
  // Of 32 bits a hundred thousand leave about one pair alike by chance.
  for (let lane = 0; lane < 4; lane += 1) {
    const quarters = new Set(all.map((text) => text.slice(7 * lane, 7 * lane + 7)));
    expect(quarters.size).toBeGreaterThan(all.length - 20);
  }
});
