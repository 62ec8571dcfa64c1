import { expect, it } from 'vitest';
import { report, roundsOf } from '../crash/load/rounds.ts';
import { seedOf } from '../crash/load/seed.ts';
import { tempFile } from '../support/temp-folder.ts';
import { killAtRandom } from './random-kills.ts';

const seed = seedOf();
const rounds = roundsOf(12);

it(`clients of a server that is killed ${rounds} times see unbroken runs, seed ${seed} [rule:resume.steps]`, async () => {
  const outcome = await killAtRandom(tempFile(), seed, rounds);
  expect(outcome.kills).toBe(rounds);
  expect(outcome.finishedSteps).toBeGreaterThan(0);
  report(`seed ${seed}: ${JSON.stringify(outcome)}`);
});
