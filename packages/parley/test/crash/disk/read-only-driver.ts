import { dirname, join } from 'node:path';
import { RpcPeer } from '../../support/rpc.ts';
import { tempFile } from '../../support/temp-folder.ts';
import { Checker } from '../check/checker.ts';
import { faultsOfFile } from '../check/file-check.ts';
import { Journal } from '../check/journal.ts';
import { throwProblems } from '../check/report.ts';
import { Calls } from '../load/calls.ts';
import { Random } from '../load/random.ts';
import { Work } from '../load/work.ts';
import { isRefusalOf, ProcessPool, type ServerProcess } from '../server/process.ts';
import {
  fileOfPlainUser,
  fingerprintOf,
  PROTECTED,
  type Protected,
  plainUser,
  protect,
  unprotect,
} from './read-only.ts';

export interface ReadOnlyOutcome {
  /** How often a running server lost the right to write. */
  readonly whileRunning: number;
  /** How often a server would not start without it. */
  readonly refusals: number;
  readonly tasks: number;
  readonly observations: number;
}

/** Takes the right to write away while a server runs, or before the next one starts. Throws as the other drivers do. */
export async function protectAgainAndAgain(seed: number, rounds: number, again: string): Promise<ReadOnlyOutcome> {
  const file = fileOfPlainUser();
  const copy = join(dirname(tempFile()), 'copy.db');
  const journal = new Journal();
  const checker = new Checker(journal);
  const pool = new ProcessPool(plainUser);
  const count = { whileRunning: 0, refusals: 0 };
  const assertSound = (round: number, server: ServerProcess) => {
    if (server.complaints) journal.problems.unshift(`The server wrote: ${server.complaints}`);
    throwProblems(journal, round, again);
  };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const random = new Random(seed, round);
      const server = pool.take();
      const peer = await server.open(file);
      await checker.check(peer, random);
      await checker.goOn(peer, random, 3);
      assertSound(round, server);
      const work = new Work(new Calls(peer, journal), journal, random);
      await work.goOn(random);
      const what = PROTECTED[(seed + round) % PROTECTED.length] ?? 'file';
      if (random.chance(0.5)) {
        count.whileRunning += 1;
        // What is open stays open.
        protect(file, what);
        await work.goOn(random);
      }
      await work.endBy(() => server.kill());
      assertSound(round, server);
      protect(file, what);
      journal.problems.push(...(await faultsOfRefusal(pool.take(), file, what)));
      count.refusals += 1;
      unprotect(file);
      journal.problems.push(...faultsOfFile(file, copy));
      assertSound(round, server);
    }
    const server = pool.take();
    const random = new Random(seed, 0);
    const peer = await server.open(file);
    await checker.check(peer, random, true);
    await checker.goOn(peer, random, Number.POSITIVE_INFINITY);
    await checker.check(peer, random);
    assertSound(rounds, server);
    return { ...count, tasks: journal.known.size, observations: journal.observations };
  } finally {
    await pool.close();
  }
}

/** The server says what is wrong and leaves everything as it is. */
async function faultsOfRefusal(server: ServerProcess, file: string, what: Protected): Promise<string[]> {
  const before = fingerprintOf(file);
  const opened = await server.tryToOpen(file);
  await server.kill();
  const faults: string[] = [];
  if (opened instanceof RpcPeer) faults.push(`A server started although it may not write the ${what}`);
  else if (!isRefusalOf(opened, file) || !opened.said.includes('read-only')) {
    faults.push(`Without the right to write the ${what} it ended with ${opened.exitCode}: ${opened.said}`);
  }
  if (fingerprintOf(file) !== before) faults.push(`It changed something although it may not write the ${what}`);
  return faults;
}
