import { dirname, join } from 'node:path';
import { tempFile } from '../../support/temp-folder.ts';
import { Checker } from '../check/checker.ts';
import { refusedCommitsIn, unexpectedIn } from '../check/complaints.ts';
import { faultsOfFile } from '../check/file-check.ts';
import { Journal } from '../check/journal.ts';
import { endsOf, throwProblems } from '../check/report.ts';
import { Random } from '../load/random.ts';
import { ProcessPool, type ServerProcess } from '../server/process.ts';
import type { Disk } from './disk.ts';
import { type FullMoment, fullMoments, type Stage } from './full-moments.ts';

/** Each block of rounds has these, in an order that the seed decides. */
const BLOCK: readonly FullMoment[] = ['brief', 'brief', 'killed', 'restarted', 'lasting'];

export interface FullDiskOutcome {
  /** How often what came of a full disk. */
  readonly moments: Readonly<Record<string, number>>;
  /** Commits that failed, whether or not a later attempt succeeded. */
  readonly refusedCommits: number;
  /** Calls and streams that failed for it. */
  readonly unavailable: number;
  readonly tasks: number;
  readonly observations: number;
  readonly ends: Readonly<Record<string, number>>;
}

/**
 * Lets the disk of servers at work be full, again and again, and kills them. Throws as
 * `crashAgainAndAgain` does; `again` are the settings that lead there.
 */
export async function fillAgainAndAgain(
  disk: Disk,
  seed: number,
  rounds: number,
  again: string,
): Promise<FullDiskOutcome> {
  const journal = new Journal({ storeMayFail: true });
  const checker = new Checker(journal);
  const pool = new ProcessPool(disk.launch);
  const copy = join(dirname(tempFile()), 'copy.db');
  const moments: Record<string, number> = {};
  let refusedCommits = 0;
  const used: ServerProcess[] = [];
  const take = async () => {
    const server = pool.take();
    used.push(server);
    await server.loaded();
    return server;
  };
  const assertSound = (round: number) => {
    for (const server of used) journal.problems.unshift(...unexpectedIn(server.complaints));
    throwProblems(journal, round, again);
  };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const random = new Random(seed, round);
      const server = await take();
      const peer = await server.open(disk.file);
      await checker.check(peer, random);
      await checker.goOn(peer, random, 3);
      assertSound(round);
      const stage: Stage = { disk, journal, server, peer, random, take };
      const result = await fullMoments[momentOf(seed, round)](stage);
      moments[result] = (moments[result] ?? 0) + 1;
      await disk.free();
      journal.dropped.clear();
      journal.problems.push(...faultsOfFile(disk.fileFromOutside, copy));
      assertSound(round);
      refusedCommits += used.splice(0).reduce((sum, { complaints }) => sum + refusedCommitsIn(complaints), 0);
    }
    const random = new Random(seed, 0);
    const peer = await (await take()).open(disk.file);
    await checker.check(peer, random, true);
    await checker.goOn(peer, random, Number.POSITIVE_INFINITY);
    await checker.check(peer, random);
    assertSound(rounds);
    const { known, observations, unavailable } = journal;
    return { moments, refusedCommits, unavailable, tasks: known.size, observations, ends: endsOf(journal) };
  } finally {
    await pool.close();
  }
}

function momentOf(seed: number, round: number): FullMoment {
  const block = Math.floor((round - 1) / BLOCK.length);
  const random = new Random(seed, block, BLOCK.length);
  const order = BLOCK.map((moment) => ({ moment, place: random.unit() })).sort((a, b) => a.place - b.place);
  return order[(round - 1) % BLOCK.length]?.moment ?? 'brief';
}
