import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SecretWords } from '../../src/engine/task/secret-words.ts';

function toldData(data: never): SecretWords {
  const words = new SecretWords();
  words.add({ parts: [{ kind: 'data', data }] });
  return words;
}

const nested = (levels: number, inner: unknown): never =>
  (levels === 0 ? inner : { inner: nested(levels - 1, inner) }) as never;

function thrower(): never {
  throw new Error('not to be read');
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

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

  it.each<[string, () => unknown]>([
    ['a member that has no text', () => Object.assign(new Error('x'), { query: Object.create(null) })],
    ['a member whose text throws', () => Object.assign(new Error('x'), { query: { toString: thrower } })],
    ['a member that cannot be read', () => Object.defineProperty(new Error('x'), 'query', { get: thrower })],
    ['a stack that cannot be read', () => Object.defineProperty(new Error('x'), 'stack', { get: thrower })],
    ['a message that is no text', () => Object.assign(new Error('x'), { message: { deep: 'open sesame' } })],
    ['no error at all', () => Object.create(null)],
    ['an object that nobody can read any more', revoked],
  ])('are hidden in what an agent has thrown, also where that has %s', (_, made) => {
    const words = toldData({ word: 'open sesame' } as never);
    const details = words.hideInDetails({ reference: 'r', error: made() });
    expect(details.reference).toBe('r');
    expect(inspect(details, { depth: 20 })).not.toContain('sesame');
  });

  it.each<[string, () => Error]>([
    ['in an object', () => Object.assign(new Error('x'), { request: { password: 'open sesame' } })],
    ['in an object of its own kind', () => Object.assign(new Error('x'), { request: new Map([['a', 'open sesame']]) })],
    ['in an error beside others', () => new AggregateError([new Error('open sesame')], 'x')],
    ['where nobody looks', () => Object.defineProperty(new Error('x'), 'request', { value: 'open sesame' })],
  ])('are hidden in the members of an error, also %s', (_, made) => {
    const { error } = toldData({ word: 'open sesame' } as never).hideInDetails({ error: made() });
    expect(error).toMatchObject({ message: 'x' });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('sesame');
  });

  it('leave an error as it is where all of it was searched, and it has none of them', () => {
    const error = Object.assign(new Error('x', { cause: new Error('y') }), { code: 7, issues: [{ path: ['a'] }] });
    Object.assign(error, { self: error });
    expect(toldData({ word: 'open sesame' } as never).hideInDetails({ error }).error).toBe(error);
  });

  it('do not come out of details that are too deep to be searched', () => {
    const words = toldData({ word: 'open sesame' } as never);
    expect(JSON.stringify(words.hideInDetails({ deep: nested(20, 'open sesame') }))).not.toContain('sesame');
  });
});
