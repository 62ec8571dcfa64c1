import { chmodSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { fileOfPlainUser, plainUser } from './disk/read-only.ts';
import { protectAgainAndAgain } from './disk/read-only-driver.ts';
import { report, roundsOf } from './load/rounds.ts';
import { seedOf } from './load/seed.ts';
import { ProcessPool } from './server/process.ts';

const firstSeed = seedOf();
/** Each round starts two servers, so there are fewer than plain crashes. */
const rounds = Math.ceil(roundsOf(20) / 4);
const MOST_ROUNDS_OF_A_FILE = 30;

const files = Array.from({ length: Math.ceil(rounds / MOST_ROUNDS_OF_A_FILE) }, (_, index) => ({
  seed: firstSeed + index,
  times: Math.min(MOST_ROUNDS_OF_A_FILE, rounds - index * MOST_ROUNDS_OF_A_FILE),
}));

it.each(
  files,
)('a server that may not write its file $times times keeps all that it said, seed $seed [rule:resume.recovery]', async ({
  seed,
  times,
}) => {
  const again = `CRASH_SEED=${seed} CRASH_ROUNDS=${times * 4}`;
  const outcome = await protectAgainAndAgain(seed, times, again);
  expect(outcome.refusals).toBe(times);
  report(`seed ${seed}: ${JSON.stringify(outcome)}`);
});

it.each(['-wal', '-shm', '-lock'])('a server that may not write the file %s is not started', async (suffix) => {
  const file = fileOfPlainUser();
  const pool = new ProcessPool(plainUser);
  onTestFinished(() => pool.close());
  const server = pool.take();
  await (await server.open(file)).send('hang 5', {}, { returnImmediately: true });
  await server.kill();
  chmodSync(file + suffix, 0o444);
  const refused = await pool.take().tryToOpen(file);
  expect(refused).toMatchObject({
    exitCode: 1,
    said: expect.stringMatching(/^.*parley\.db.* cannot be written: .*\n$/),
  });
});
