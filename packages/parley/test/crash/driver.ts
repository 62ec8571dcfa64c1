import { pause } from '../support/script.ts';
import { Calls } from './calls.ts';
import { Checker } from './checker.ts';
import { Clients } from './clients.ts';
import { faultsOfFile } from './file-check.ts';
import { Journal } from './journal.ts';
import { ProcessPool, type ServerProcess } from './process.ts';
import { Random } from './random.ts';

const CLIENTS = 6;
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
  const assertSound = (round: number, server?: ServerProcess) => {
    if (server?.complaints) journal.problems.push(`The server wrote: ${server.complaints}`);
    if (journal.problems.length === 0) return;
    const [shown, more] = [journal.problems.slice(0, 5), journal.problems.length - 5];
    const again = `Again with CRASH_SEED=${seed} CRASH_ROUNDS=${rounds}`;
    throw new Error(`Round ${round}: ${shown.join('\n')}\n${more > 0 ? `and ${more} more\n` : ''}${again}`);
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
        await killAtWork(server, new Calls(peer, journal), journal, random);
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

function endsOf({ ended }: Journal): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { status } of ended.values()) {
    const end: string = status.message?.metadata?.reason ?? status.state;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

async function killAtStart(server: ServerProcess, file: string, random: Random): Promise<void> {
  await server.loaded();
  server.begin(file);
  await pause(random.between(0, LONGEST_START_MS));
  await server.kill();
}

async function killAtWork(server: ServerProcess, calls: Calls, journal: Journal, random: Random): Promise<void> {
  const clients = new Clients(calls, journal);
  const runs = Array.from({ length: CLIENTS }, (_, index) => clients.run(new Random(random.unit() * 2 ** 32, index)));
  // After some time, or after clients have seen so much.
  const time = random.between(1, 250);
  const enough = journal.observations + (random.chance(0.5) ? random.between(1, 800) : Number.POSITIVE_INFINITY);
  const start = performance.now();
  while (performance.now() - start < time && journal.observations < enough) await pause(1);
  clients.expectTheEnd();
  await server.kill();
  await Promise.all(runs);
}
