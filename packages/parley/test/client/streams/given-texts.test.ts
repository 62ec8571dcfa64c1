import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GivenTexts } from '../../../src/client/stream/given-texts.ts';

describe('the text that a reader is given', () => {
  it('is whole, however often its artifact is put back and written again', () => {
    const chunks = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 });
    const resets = fc.array(fc.tuple(fc.nat(12), fc.nat(60)), { maxLength: 6 });
    fc.assert(
      fc.property(chunks, resets, fc.boolean(), (pieces, plan, isCutAnew) => {
        const whole = pieces.join('');
        const texts = new GivenTexts();
        let given = '';
        let position = 0;
        const write = (end: number, append: boolean, from = position) => {
          given += texts.next('a', whole.slice(from, end), append).text;
          position = end;
        };
        for (const [steps, back] of plan) {
          for (const piece of pieces.slice(0, steps)) {
            const size = isCutAnew ? 1 + (back % 4) : piece.length;
            write(Math.min(whole.length, position + size), true);
          }
          write(Math.min(position, back), false, 0);
        }
        write(whole.length, true);
        expect(given).toBe(whole);
      }),
    );
  });

  it('begins anew where the artifact becomes another one', () => {
    const texts = new GivenTexts();
    expect(texts.next('a', 'one', true).text).toBe('one');
    expect(texts.next('a', 'two', false).text).toBe('two');
    expect(texts.next('a', '!', true).text).toBe('!');
    expect(texts.next('b', 'other', true).text).toBe('other');
  });

  it('is given from its beginning where what follows is another text', () => {
    const texts = new GivenTexts();
    texts.next('a', 'good morning', true);
    expect(texts.next('a', 'good ', false).text).toBe('');
    expect(texts.next('a', 'evening', true)).toEqual({ text: 'good evening', isAnew: true });
  });
});
