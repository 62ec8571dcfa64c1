import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type A2AClient, type Task, textOf } from 'parley-a2a';
import { faultsOfFile } from '../crash/check/file-check.ts';
import { Random } from '../crash/load/random.ts';
import { ProcessPool, type ServerProcess } from '../crash/server/process.ts';
import type { RpcPeer } from '../support/rpc.ts';
import { pause } from '../support/script.ts';
import { clientOf, Errand, type Place } from './client.ts';
import { Ledger } from './evidence.ts';
import { artifactsOf, uninterrupted } from './expected.ts';

const script = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const ERRANDS = 4;
const LONGEST_END_MS = 60_000;

export interface RandomOutcome {
  readonly kills: number;
  readonly tasks: number;
  readonly finishedSteps: number;
  /** Steps that were done more than once, because a kill came before their record. */
  readonly repeatedSteps: number;
}

/** Kills a server again and again while clients follow their tasks. Throws with what is wrong. */
export async function killAtRandom(file: string, seed: number, rounds: number): Promise<RandomOutcome> {
  const effects = join(dirname(file), 'effects');
  const orders = JSON.stringify({ file, effects, slowness: 25, resumes: 10_000 });
  const pool = new ProcessPool({ script });
  const ledger = new Ledger(file, effects);
  const place: Place = { port: 0 };
  const errands: { readonly errand: Errand; readonly run: Promise<void>; readonly answer: string }[] = [];
  const throwProblems = (round: number, more: readonly string[]) => {
    const problems = [...ledger.problems, ...more];
    if (problems.length === 0) return;
    throw new Error(`Round ${round}: ${problems.slice(0, 5).join('\n')}\nAgain with CRASH_SEED=${seed}`);
  };
  let client: A2AClient | undefined;
  try {
    for (let round = 1; round <= rounds + 1; round += 1) {
      const random = new Random(seed, round);
      const server = pool.take();
      const peer = await opened(server, orders, place);
      client ??= await clientOf(place);
      // The last server is left to finish.
      const isLast = round > rounds;
      while (!isLast && errands.filter(({ errand }) => !errand.isOver).length < ERRANDS) {
        const answer = `An${'n'.repeat(1 + errands.length)}`;
        const errand = new Errand(client, answer);
        const run = errand.run();
        run.catch(() => {});
        errands.push({ errand, run, answer });
      }
      if (isLast) {
        const time = AbortSignal.timeout(LONGEST_END_MS);
        const late = new Promise<never>((_, reject) => {
          time.addEventListener('abort', () => reject(new Error(`Tasks do not end. Again with CRASH_SEED=${seed}`)));
        });
        await Promise.race([Promise.all(errands.map(({ run }) => run)), late]);
        throwProblems(round, await faultsOfEnds(client, peer, errands));
      } else {
        await pause(random.chance(0.3) ? random.between(0, 40) : random.between(40, 400));
      }
      await server.kill();
      ledger.check();
      throwProblems(
        round,
        [...faultsOfFile(file), ...unfinishedButSeen(errands, ledger), server.complaints].filter(Boolean),
      );
    }
    return {
      kills: rounds,
      tasks: errands.length,
      finishedSteps: ledger.finished.size,
      repeatedSteps: ledger.repeated,
    };
  } finally {
    await pool.close();
  }
}

async function opened(server: ServerProcess, orders: string, place: Place): Promise<RpcPeer> {
  const peer = await server.open(orders);
  const { url } = await peer.raw('/.well-known/agent-card.json');
  place.port = Number(new URL(url).port);
  return peer;
}

/** What a client sees of a step's result is on disk by then, and so is the step. */
function unfinishedButSeen(errands: readonly { readonly errand: Errand }[], ledger: Ledger): string[] {
  const names = [...ledger.finished.keys()].map((key) => decodeURIComponent(key));
  return errands.flatMap(({ errand }) => {
    const own = names.filter((name) => name.startsWith(errand.collected?.id ?? ' '));
    const seen = errand.seenSteps.filter((word) => word !== 'dig!');
    return own.length >= seen.length
      ? []
      : [`${errand.collected?.id} shows ${seen.join()} with ${own.join()} finished`];
  });
}

type Ended = { readonly errand: Errand; readonly answer: string };

async function faultsOfEnds(client: A2AClient, peer: RpcPeer, errands: readonly Ended[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { errand, answer } of errands) {
    const id = errand.collected?.id ?? '';
    const task = await peer.call('GetTask', { id });
    const expected = artifactsOf(await uninterrupted(answer));
    const fault = (what: string, is: unknown, should: unknown) => {
      if (!isDeepStrictEqual(plain(is), plain(should))) {
        problems.push(`${id}: ${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
      }
    };
    fault('the state', task.status.state, 'TASK_STATE_COMPLETED');
    fault('the task', artifactsOf(task), expected);
    const whole = await client.getTask(id);
    fault('what a client put together', resultOf(errand.collected), resultOf(whole));
    // Artifacts take turns in the text as it comes, but each has letters, digits or nines of its own.
    for (const own of [/[a-z!]/gi, /[0-8]/g, /9/g]) {
      fault('the text as it came', errand.text.match(own)?.join(''), textOf(whole).match(own)?.join(''));
    }
    if ((textOf(whole).match(/9/g)?.length ?? 0) > 1) problems.push(`${id} has read a message twice`);
  }
  return problems;
}

/** As JSON has it, without members that are undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

function resultOf(task: Task | undefined) {
  return { artifacts: task?.artifacts, status: task?.status };
}
