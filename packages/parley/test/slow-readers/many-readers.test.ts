import { describe, expect, it } from 'vitest';
import { Random } from '../crash/load/random.ts';
import { seedOf } from '../crash/load/seed.ts';
import { eventually } from '../support/eventually.ts';
import { BAD_KINDS, type BadReader, badReader } from './bad-readers.ts';
import { handlesOf, MEGABYTE, whenAlone } from './held.ts';
import { MeasuredServer } from './server.ts';
import { SocketReader } from './socket-reader.ts';

const seed = seedOf();
const WARM_UP_ROUNDS = 3;
const ROUNDS = 7;
/** Too much for the buffers of the system, so that the server has to wait for whoever does not read. */
const VOLUME = { chunks: 2_500, size: 4_096 };
const MOST_GROWTH = MEGABYTE / 2;

/** How many readers of each task come in one round. */
const AT_ONCE: Readonly<Record<keyof Tasks, number>> = { ended: 6, idle: 14 };

interface Tasks {
  /** Has written everything. */
  readonly ended: string;
  /** Its agent writes nothing. */
  readonly idle: string;
}

async function startTasks(server: MeasuredServer): Promise<Tasks> {
  const ended = await server.newTask(VOLUME);
  const reader = new SocketReader({ url: server.url, taskId: ended });
  await reader.until(() => reader.frames.length > 0);
  await server.go();
  await reader.toEnd();
  return { ended, idle: await server.newTask(VOLUME) };
}

type Place = keyof Tasks;

/** Comes, reads a while if there is something to read, and goes in one way or another. */
async function comeAndGo(server: MeasuredServer, tasks: Tasks, place: Place, random: Random): Promise<BadReader> {
  const kind = random.pick(BAD_KINDS) ?? 'stalls';
  const position = place === 'ended' ? { after: 0 } : {};
  const bad = await badReader(kind, server, random, { taskId: tasks[place], ...position });
  if (place === 'ended') await bad.turnBad();
  const { socket } = bad.reader;
  switch (random.weighted({ leave: 1, reset: 1, 'half-close': 1 })) {
    case 'leave':
      socket.destroy();
      break;
    case 'reset':
      socket.resetAndDestroy();
      break;
    case 'half-close':
      socket.end();
      break;
  }
  return bad;
}

async function round(server: MeasuredServer, tasks: Tasks, index: number): Promise<void> {
  const all = Object.entries(AT_ONCE).flatMap(([place, count]) => Array<Place>(count).fill(place as Place));
  const readers = await Promise.all(
    all.map((place, one) => comeAndGo(server, tasks, place, new Random(seed, index, one))),
  );
  for (const bad of readers) {
    bad.cut();
    bad.reader.destroy();
  }
  await eventually(async () => (await server.report()).load.subscriptions).toBe(0);
}

describe(`readers that come and go, seed ${seed}`, () => {
  for (const store of ['sqlite', 'memory'] as const) {
    const title = `leave nothing behind, however many there were (${store})`;
    it(`${title} [rule:stream.slow-reader]`, async () => {
      const server = await MeasuredServer.start(store);
      const tasks = await startTasks(server);
      for (let index = 0; index < WARM_UP_ROUNDS; index += 1) await round(server, tasks, index);
      const before = await whenAlone(server);
      for (let index = 0; index < ROUNDS; index += 1) await round(server, tasks, WARM_UP_ROUNDS + index);
      await eventually(async () => handlesOf(await server.report())).toEqual(handlesOf(before));
      const after = await server.collected();
      expect(after.held - before.held).toBeLessThan(MOST_GROWTH);
    });
  }
});
