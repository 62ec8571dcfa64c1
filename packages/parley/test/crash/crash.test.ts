import { expect, it } from 'vitest';
import { tempFile } from '../support/temp-folder.ts';
import { crashAgainAndAgain } from './load/driver.ts';
import { report, roundsOf } from './load/rounds.ts';
import { seedOf } from './load/seed.ts';

const firstSeed = seedOf();
const rounds = roundsOf(20);
/** A file grows with each round; after so many the next one begins. */
const MOST_ROUNDS_OF_A_FILE = 50;

const files = Array.from({ length: Math.ceil(rounds / MOST_ROUNDS_OF_A_FILE) }, (_, index) => ({
  seed: firstSeed + index,
  kills: Math.min(MOST_ROUNDS_OF_A_FILE, rounds - index * MOST_ROUNDS_OF_A_FILE),
}));

it.each(
  files,
)('a server that is killed $kills times keeps all that it said, seed $seed [rule:resume.recovery] [rule:idempotency.joins]', async ({
  seed,
  kills,
}) => {
  const outcome = await crashAgainAndAgain(tempFile(), seed, kills);
  expect(outcome.kills).toBe(kills);
  // A crash that hits nothing proves nothing; few rounds may.
  if (kills >= 20) expect(outcome.ends).toHaveProperty('server-restarted');
  report(`seed ${seed}: ${JSON.stringify(outcome)}`);
});
