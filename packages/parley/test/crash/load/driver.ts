import { pause } from '../../support/script.ts';
import { Checker } from '../check/checker.ts';
import { faultsOfFile } from '../check/file-check.ts';
import { Journal } from '../check/journal.ts';
import { endsOf, throwProblems } from '../check/report.ts';
import { ProcessPool, type ServerProcess } from '../server/process.ts';
import { Calls } from './calls.ts';
import { Random } from './random.ts';
import { Work } from './work.ts';

/** How often a server is killed while it opens the file, before it has answered anything. */
const KILLED_AT_START = 0.2;
const LONGEST_START_MS = 80;

export interface Outcome {
  readonly kills: number;
  readonly tasks: number;
  readonly observations: number;
  /** How many tasks ended in which way: by the reason, or else by the state. */
  readonly ends: Readonly<Record<string, number>>;
}

/** Starts servers on one file and kills them, again and again. Throws with all problems of the first bad round. */
export async function crashAgainAndAgain(file: string, seed: number, rounds: number): Promise<Outcome> {
  const journal = new Journal();
  const checker = new Checker(journal);
  const pool = new ProcessPool();
  const assertSound = (round: number, server: ServerProcess) => {
    if (server.complaints) journal.problems.push(`The server wrote: ${server.complaints}`);
    throwProblems(journal, round, `CRASH_SEED=${seed} CRASH_ROUNDS=${rounds}`);
  };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const random = new Random(seed, round);
      const server = pool.take();
      if (random.chance(KILLED_AT_START)) await killAtStart(server, file, random);
      else {
        const peer = await server.open(file);
        await checker.check(peer, random);
        await checker.goOn(peer, random, 3);
        assertSound(round, server);
        const work = new Work(new Calls(peer, journal), journal, random);
        await work.goOn(random);
        await work.endBy(() => server.kill());
      }
      journal.problems.push(...faultsOfFile(file));
      assertSound(round, server);
    }
    const server = pool.take();
    const random = new Random(seed, 0);
    const peer = await server.open(file);
    await checker.check(peer, random, true);
    await checker.goOn(peer, random, Number.POSITIVE_INFINITY);
    await checker.check(peer, random);
    assertSound(rounds, server);
    const { known, observations } = journal;
    return { kills: rounds, tasks: known.size, observations, ends: endsOf(journal) };
  } finally {
    await pool.close();
  }
}

async function killAtStart(server: ServerProcess, file: string, random: Random): Promise<void> {
  await server.loaded();
  server.begin(file);
  await pause(random.between(0, LONGEST_START_MS));
  await server.kill();
}
