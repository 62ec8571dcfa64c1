import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type A2AClient, type SendOptions, type Task, textOf } from 'parley-a2a';
import { faultsOfFile } from '../crash/check/file-check.ts';
import { ProcessPool, type ServerProcess } from '../crash/server/process.ts';
import { clientOf, type Place } from '../crash-steps/client.ts';
import { finishedIn } from '../crash-steps/evidence.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { Errand } from './errand.ts';
import { Follower } from './follower.ts';
import { LoopModel } from './model.ts';
import { appendLine, countsIn, linesIn } from './points.ts';
import type { Scenario } from './scenario.ts';

const script = fileURLToPath(new URL('./server-process.ts', import.meta.url));

export interface Outcome {
  /** As GetTask shows it at the end. */
  readonly task: Wire;
  /** As a client put it together, that followed from the first message on. */
  readonly collected: Task | undefined;
  readonly text: string;
  /** The frames that the bare reader got, and those that the log has. */
  readonly followed: readonly Wire[];
  readonly logged: readonly Wire[];
  readonly model: LoopModel;
  readonly effects: ReadonlyMap<string, number>;
  readonly points: readonly string[];
  readonly kills: number;
  /** What was done again after it was finished, and what is wrong with the file. */
  readonly problems: readonly string[];
}

/** Kills the present server, if none was killed at that point before. */
export type KillAt = (point: string) => boolean;

/** The caller's part: how it answers, with the places at which it sees to a kill first. */
export type CallerOf = (killAt: KillAt, effect: (name: string) => void) => SendOptions;

/** Lets one task run through servers of which each is killed at the next point, until one is left alive. */
export async function runThroughKills(
  file: string,
  scenario: Scenario,
  callerOf: CallerOf = () => ({}),
): Promise<Outcome> {
  const folder = dirname(file);
  const [effects, points] = [join(folder, 'effects'), join(folder, 'points')];
  let current: ServerProcess | undefined;
  const killAt: KillAt = (point) => {
    if (linesIn(points).includes(point)) return false;
    appendLine(points, point);
    void current?.kill();
    return true;
  };
  const never = new Promise<void>(() => {});
  const model = new LoopModel({ points, scenario, at: (point) => (killAt(point) ? never : Promise.resolve()) });
  const caller = callerOf(killAt, (name) => appendLine(effects, name));
  const orders = JSON.stringify({ agent: scenario.agent, file, effects, points, model: await model.listen() });
  const pool = new ProcessPool({ script });
  const place: Place = { port: 0 };
  const errand = new Errand();
  const follower = new Follower();
  const evidence = new Evidence(file, effects, model);
  let running: Promise<'over'> | undefined;
  let client: A2AClient | undefined;
  let kills = 0;
  try {
    for (;;) {
      const server = pool.take();
      current = server;
      const peer = await placed(await server.tryToOpen(orders), place);
      if (peer) {
        client ??= await clientOf(place);
        running ??= errand.run(client, caller).then(() => 'over' as const);
        running.catch(() => {});
      }
      const id = errand.collected?.id;
      const following = peer && id !== undefined ? follower.follow(peer, id) : undefined;
      const stuck = pause(PATIENCE_MS, 'stuck' as const, { ref: false });
      const end = await Promise.race([server.ended(), stuck, ...(running ? [running] : [])]);
      if (end === 'stuck') throw new Error(`No end after the points ${linesIn(points).join(', ')}`);
      await following;
      if (peer && end === 'over') return await outcomeOf(peer);
      kills += 1;
      evidence.check(server.complaints);
      if (evidence.problems.length > 0) throw new Error(evidence.problems.join('\n'));
    }
  } finally {
    await pool.close();
    await model.server?.close();
  }

  async function outcomeOf(peer: RpcPeer): Promise<Outcome> {
    const { collected, text } = errand;
    const id = collected?.id ?? '';
    const task = await peer.call('GetTask', { id });
    const whole = new Follower();
    await whole.follow(peer, id);
    const [followed, logged] = [follower, whole].map(({ frames }) => frames.map((frame) => [frame.id, frame.result]));
    const problems = [...evidence.problems, ...model.problems];
    const counts = countsIn(effects);
    const reached = linesIn(points);
    return {
      task,
      collected,
      text,
      followed: followed ?? [],
      logged: logged ?? [],
      model,
      effects: counts,
      points: reached,
      kills,
      problems,
    };
  }
}

/** The peer, and where clients find it; undefined where the server is gone already. */
async function placed(opened: RpcPeer | object, place: Place): Promise<RpcPeer | undefined> {
  if (!(opened instanceof RpcPeer)) return undefined;
  try {
    const { url } = await opened.raw('/.well-known/agent-card.json');
    place.port = Number(new URL(url).port);
    return opened;
  } catch {
    return undefined;
  }
}

/** Holds what was done against what is recorded, from one kill to the next. */
class Evidence {
  readonly #file: string;
  readonly #effects: string;
  readonly #model: LoopModel;
  /** Finished steps, with how often they had been done when that was first seen. */
  readonly #finished = new Map<string, number>();
  readonly problems: string[] = [];

  constructor(file: string, effects: string, model: LoopModel) {
    this.#file = file;
    this.#effects = effects;
    this.#model = model;
  }

  /** To be called while no process runs. */
  check(complaints: string): void {
    const finished = [...finishedIn(this.#file)].map((key) => decodeURIComponent(key.split('/').at(-1) ?? ''));
    for (const [step, before] of this.#finished) {
      const now = this.#timesOf(step);
      if (now !== before) this.problems.push(`${step} was finished and done ${now - before} times more`);
      if (!finished.includes(step)) this.problems.push(`The record of ${step} is gone`);
    }
    for (const step of finished) {
      if (this.#timesOf(step) === 0) this.problems.push(`${step} is finished and was never done`);
      if (!this.#finished.has(step)) this.#finished.set(step, this.#timesOf(step));
    }
    this.problems.push(...faultsOfFile(this.#file), ...[complaints].filter(Boolean));
  }

  /** Steps are `model K` and `tool K.N NAME 1`. */
  #timesOf(step: string): number {
    const [kind, number = '', name = ''] = step.split(' ');
    if (kind === 'model') return this.#model.asked.get(Number(number)) ?? 0;
    return countsIn(this.#effects).get(name) ?? 0;
  }
}

/** The text of the answer, without what the model thought. */
export function answerOf(task: Task | undefined): string {
  return task ? textOf(task) : '';
}
