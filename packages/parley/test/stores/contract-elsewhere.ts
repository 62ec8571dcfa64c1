// Run as a program of its own by a test: the contract on `node:test`, with an `expect` of a few lines and no vitest.
import { deepStrictEqual, strictEqual } from 'node:assert';
import { describe, it } from 'node:test';
import { memory } from 'parley-a2a';
import { withStore } from 'parley-a2a/ports';
import { storeContract } from 'parley-a2a/testing';

/** Without members that are undefined, which `toEqual` does not see. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, plain(member)]])),
  );
}

const expect = (actual: unknown) => ({
  toBe: (expected: unknown) => strictEqual(actual, expected),
  toEqual: (expected: unknown) => deepStrictEqual(plain(actual), plain(expected)),
});

/** Forgets the lease number that a commit expects, when told to be broken. */
const isBroken = process.argv[2] === 'broken';

void describe('a store in memory', () => {
  storeContract({ describe, it, expect }, (now) => {
    const store = memory({ now });
    if (!isBroken) return store;
    return withStore(store, {
      commit: (entries) =>
        store.commit(
          entries.map((entry) => {
            if (entry.kind === 'reply') return entry;
            const held = store.head(entry.head.id);
            return { ...entry, expectedLease: held && 'lease' in held ? held.lease.number : entry.expectedLease };
          }),
        ),
    });
  });
});
