import { expect, it } from 'vitest';
import { uuidv7Source } from '../../src/model/basics/uuid.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('makes unique UUIDv7 that sort in the order in which they were made, also when the clock stands still or goes back', () => {
  let now = 1_700_000_000_000;
  const next = uuidv7Source(() => now);
  const ids: string[] = [];
  for (let index = 0; index < 20_000; index += 1) {
    if (index % 5000 === 0) now += index % 10_000 === 0 ? 1 : -500;
    ids.push(next());
  }
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

it('carries the time', () => {
  const id = uuidv7Source(() => 0x0123456789ab)();
  expect(id.startsWith('01234567-89ab-7')).toBe(true);
});
