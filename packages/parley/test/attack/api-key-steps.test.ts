import { apiKeys, hashKey } from 'parley-a2a/auth';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/model/basics/bytes.ts';
import { areEqualBytes } from '../../src/server/auth/digest.ts';
import { checkedKeys } from '../../src/server/auth/keys/key-record.ts';
import { KeyRing } from '../../src/server/auth/keys/key-ring.ts';
import { requestWith } from '../auth/support/requests.ts';

const KEY = 'pk_one_abcdefghijklmnopqrstuvwxyz012345';
const ENTRY = { id: 'one', hash: await hashKey(KEY), subject: 'ann' };

/** Bytes that count how often they are looked at. */
class CountedBytes extends Uint8Array<ArrayBuffer> {
  static reads = 0;

  override *entries(): ArrayIterator<[number, number]> {
    for (let index = 0; index < this.length; index += 1) {
      CountedBytes.reads += 1;
      yield [index, this[index] as number];
    }
  }
}

function readsOf(one: Uint8Array, other: Uint8Array): number {
  CountedBytes.reads = 0;
  areEqualBytes(CountedBytes.from(one) as CountedBytes, other);
  return CountedBytes.reads;
}

/** Keys that are wrong from each character on, and the right one. */
const GUESSES = Array.from({ length: KEY.length + 1 }, (_, right) => KEY.slice(0, right).padEnd(KEY.length, '!'));

describe('a guess at an API key', () => {
  it('is compared byte by byte to the end, wherever the first difference is', async () => {
    const digest = await sha256(KEY);
    for (let place = 0; place < digest.length; place += 1) {
      const other = Uint8Array.from(digest, (byte, index) => (index === place ? byte ^ 1 : byte));
      expect([place, readsOf(digest, other), areEqualBytes(digest, other)]).toEqual([place, digest.length, false]);
    }
    expect([readsOf(digest, digest), areEqualBytes(digest, digest)]).toEqual([digest.length, true]);
  });

  it('takes the same steps, however much of it is right', async () => {
    const digest = vi.spyOn(crypto.subtle, 'digest');
    const find = vi.spyOn(KeyRing.prototype, 'find');
    const candidates = vi.spyOn(KeyRing.prototype, 'weakCandidates');
    const steps = async (guess: string) => {
      const guard = apiKeys({ keys: [ENTRY] });
      for (const spy of [digest, find, candidates]) spy.mockClear();
      const isIn = await Promise.resolve(guard.authenticate(requestWith({ 'x-api-key': guess }))).then(
        () => true,
        () => false,
      );
      const lengths = digest.mock.calls.map(([, data]) => (data as Uint8Array).length);
      return { isIn, lengths, found: find.mock.calls.length, weak: candidates.mock.calls.length };
    };
    const first = await steps(GUESSES[0] as string);
    for (const guess of GUESSES.slice(1, -1)) expect(await steps(guess), guess).toEqual(first);
    expect(first).toEqual({ isIn: false, lengths: [KEY.length], found: 1, weak: 1 });
    expect(await steps(KEY)).toMatchObject({ isIn: true, lengths: [KEY.length], found: 1 });
  });

  it('is compared with something also where no key has its digest', async () => {
    const ring = new KeyRing(checkedKeys([ENTRY]));
    const entries = vi.spyOn(Uint8Array.prototype, 'entries');
    const comparisons = async (guess: string) => {
      const digest = await sha256(guess);
      entries.mockClear();
      ring.find(digest);
      return entries.mock.calls.length;
    };
    expect(await comparisons(KEY)).toBe(1);
    for (const guess of GUESSES.slice(0, -1)) expect(await comparisons(guess)).toBe(1);
  });
});
