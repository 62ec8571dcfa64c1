import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText } from './chunks.ts';

const number = integer({ min: 1, max: 1_000_000 });

describe('chunkText', () => {
  it.each([
    [1, 8, '0001:...'],
    [42, 5, '0042:'],
    [42, 4, '0042'],
    [42, 2, '42'],
    [7, 1, '7'],
    [12_345, 8, '12345:..'],
    [12_345, 3, '345'],
    [1_000_000, 7, '1000000'],
  ])('makes chunk %i of %i characters', (chunkNumber, size, expected) => {
    expect(chunkText(chunkNumber, size)).toBe(expected);
  });

  it('is always exactly as long as asked', () => {
    assert(
      property(number, integer({ min: 1, max: 2000 }), (chunkNumber, size) => {
        expect(chunkText(chunkNumber, size)).toHaveLength(size);
      }),
    );
    expect(chunkText(3, 1_000_000)).toHaveLength(1_000_000);
  });

  it('tells its number where the number fits, and its last digits where it does not', () => {
    assert(
      property(number, integer({ min: 1, max: 20 }), (chunkNumber, size) => {
        const digits = /^\d+/.exec(chunkText(chunkNumber, size))?.[0] ?? '';
        expect(Number(digits)).toBe(chunkNumber % 10 ** Math.min(size, 7));
      }),
    );
  });

  it('lets a reader find every chunk again in the whole text', () => {
    assert(
      property(integer({ min: 1, max: 300 }), integer({ min: 5, max: 40 }), (count, size) => {
        const numbers = Array.from({ length: count }, (_unused, index) => index + 1);
        const whole = numbers.map((chunkNumber) => chunkText(chunkNumber, size)).join('');
        const found = numbers.map((_unused, index) => Number.parseInt(whole.slice(index * size), 10));
        expect(found).toEqual(numbers);
      }),
    );
  });
});
