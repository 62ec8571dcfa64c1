import { expect, it } from 'vitest';
import { seedOf } from '../crash/seed.ts';
import { tempFile } from '../support/temp-folder.ts';
import { killAtRandom } from './random-kills.ts';

const { CRASH_ROUNDS } = process.env;
const seed = seedOf();
const rounds = Number(CRASH_ROUNDS ?? 12);

it(`clients of a server that is killed ${rounds} times see unbroken runs, seed ${seed} [rule:resume.steps]`, {
  timeout: 900_000,
}, async () => {
  const outcome = await killAtRandom(tempFile(), seed, rounds);
  expect(outcome.kills).toBe(rounds);
  expect(outcome.finishedSteps).toBeGreaterThan(0);
  if (CRASH_ROUNDS !== undefined) console.log(`seed ${seed}: ${JSON.stringify(outcome)}`);
});
