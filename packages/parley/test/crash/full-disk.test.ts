import { expect, it } from 'vitest';
import { fillableDisk } from './disk/disk.ts';
import { fillAgainAndAgain } from './disk/full-disk.ts';
import { report, roundsOf } from './load/rounds.ts';
import { seedOf } from './load/seed.ts';

const firstSeed = seedOf();
/** Rounds take longer than those of a plain crash, so there are fewer. */
const rounds = Math.ceil(roundsOf(20) / 4);
const MOST_ROUNDS_OF_A_DISK = 20;

const disks = Array.from({ length: Math.ceil(rounds / MOST_ROUNDS_OF_A_DISK) }, (_, index) => ({
  seed: firstSeed + index,
  times: Math.min(MOST_ROUNDS_OF_A_DISK, rounds - index * MOST_ROUNDS_OF_A_DISK),
}));

it.each(
  disks,
)('a server whose disk is full $times times keeps all that it said, seed $seed [rule:resume.recovery]', async ({
  seed,
  times,
}) => {
  const again = `CRASH_SEED=${seed} CRASH_ROUNDS=${times * 4}`;
  const disk = await fillableDisk();
  const outcome = await fillAgainAndAgain(disk, seed, times, again);
  report(`${disk.kind}, seed ${seed}: ${JSON.stringify(outcome)}`);
  // A disk that is full when nobody writes proves nothing; few rounds may be so.
  if (times < 5) return;
  expect(outcome.refusedCommits).toBeGreaterThan(0);
  expect(outcome.unavailable).toBeGreaterThan(0);
});
