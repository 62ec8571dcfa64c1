import { describe, expect, it } from 'vitest';
import { SecretWords } from '../../src/engine/task/secret-words.ts';

function toldData(data: never): SecretWords {
  const words = new SecretWords();
  words.add({ parts: [{ kind: 'data', data }] });
  return words;
}

const nested = (levels: number, inner: unknown): never =>
  (levels === 0 ? inner : { inner: nested(levels - 1, inner) }) as never;

describe('the secrets that a task was told', () => {
  it('are hidden as they are, and as JSON writes them', () => {
    const words = toldData({ pin: 'say "1234"' } as never);
    expect(words.hideIn('with say "1234" and say \\"1234\\"')).toBe('with (not shown) and (not shown)');
    expect(words.hideIn('nothing of it')).toBe('nothing of it');
  });

  it('are more than can be searched for: every text counts as one', () => {
    const words = toldData(Array.from({ length: 1_000_000 }, (_, index) => `secret-${index}`) as never);
    expect(words.isEmpty).toBe(false);
    expect(words.areIn('anything')).toBe(true);
    expect(words.hideInDetails({ error: new Error('secret-999999') }).error).not.toMatchObject({
      message: expect.stringContaining('secret'),
    });
  });

  it('are longer than can be searched for: every text counts as one', () => {
    expect(toldData({ long: 'x'.repeat(300_000) } as never).hideIn('anything')).toBe('(not shown)');
  });

  it('are too deep to be read: every text counts as one', () => {
    expect(toldData(nested(20, 'open sesame')).hideIn('open sesame')).toBe('(not shown)');
  });

  it('do not come out of details that are too deep to be searched', () => {
    const words = toldData({ word: 'open sesame' } as never);
    expect(JSON.stringify(words.hideInDetails({ deep: nested(20, 'open sesame') }))).not.toContain('sesame');
  });
});
