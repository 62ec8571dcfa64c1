import { expect, it } from 'vitest';
import { Tap } from '../../../src/client/stream/tap.ts';
import { settle } from '../../support/manual-clock.ts';
import { played, writes } from '../support/scripted.ts';

it('reads ahead, but not without an end', async () => {
  let given = 0;
  const endless = (async function* () {
    for (;;) {
      given += 1;
      yield* played([writes(String(given))]);
    }
  })();
  const tap = new Tap(endless);
  for (let turn = 0; turn < 100 && tap.size < 1_000; turn += 1) await settle();
  await settle();
  expect(tap.size).toBe(1_000);
  expect(given).toBe(1_000);
  expect(tap.take(10)).toHaveLength(10);
  await settle();
  expect(tap.size).toBe(1_000);
  await tap.close();
  await settle();
  expect(tap.ended).toBe(true);
});

it('keeps what ended the stream until it is asked for', async () => {
  const tap = new Tap(played([writes('one'), new Error('broken')]));
  await tap.ready();
  await settle();
  expect(tap.size).toBe(1);
  expect(tap.ended).toBe(true);
  expect(() => tap.fail?.()).toThrow('broken');
});
