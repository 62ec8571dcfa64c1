import { PATIENCE_MS } from '../../support/patience.ts';
import { RpcPeer } from '../../support/rpc.ts';
import { pause } from '../../support/script.ts';
import { type Journal, RUNNING } from '../check/journal.ts';
import { Calls, listAll } from '../load/calls.ts';
import type { Random } from '../load/random.ts';
import { Work } from '../load/work.ts';
import { isRefusalOf, type ServerProcess } from '../server/process.ts';
import type { Disk } from './disk.ts';

/** What happens to a full disk and to the server on it. */
export type FullMoment = 'brief' | 'killed' | 'restarted' | 'lasting';

/** What a moment has to do with. At its end no server is left running. */
export interface Stage {
  readonly disk: Disk;
  readonly journal: Journal;
  /** Already open, on a disk with room. */
  readonly server: ServerProcess;
  readonly peer: RpcPeer;
  readonly random: Random;
  /** Another server, which has opened nothing yet. */
  take(): Promise<ServerProcess>;
}

const PAGE_BYTES = 4096;
/** Far longer than anything here takes; only a server that never comes to it waits so long. */

/** They tell what came of them. */
export const fullMoments: Readonly<Record<FullMoment, (stage: Stage) => Promise<string>>> = {
  /** There is room again before the server gives up: nobody sees more than a delay. */
  async brief(stage) {
    const { disk, journal, server, random } = stage;
    const { unavailable } = journal;
    const work = await startWork(stage);
    for (let times = random.between(1, 3); times > 0; times -= 1) {
      await fill(stage, server);
      await pause(random.between(5, 400));
      await disk.free(server.pid);
      await work.goOn(random);
    }
    await work.endBy(() => server.kill());
    if (journal.unavailable > unavailable) journal.problems.push('A short time without room was not bridged');
    return 'bridged';
  },

  /** The server is killed while there is no room; the next one has it again. */
  async killed(stage) {
    await killWhileFull(stage);
    return 'killed';
  },

  /** The next server is started without room: it refuses in one line, or it works as soon as there is room. */
  async restarted(stage) {
    const { disk, journal, random } = stage;
    await killWhileFull(stage);
    const next = await stage.take();
    await fill(stage, next);
    const opened = await next.tryToOpen(disk.file);
    if (opened instanceof RpcPeer) {
      await listAll(opened);
      await disk.free(next.pid);
      const work = new Work(new Calls(opened, journal), journal, random);
      await untilServed(opened, journal);
      await work.endBy(() => next.kill());
      return 'started without room';
    }
    if (!isRefusalOf(opened, disk.file)) {
      journal.problems.push(`A server without room ended with ${opened.exitCode} and said: ${opened.said}`);
    }
    return 'refused to start';
  },

  /** The server gives up: callers are told, and it works again once there is room, without being started anew. */
  async lasting(stage) {
    const { disk, journal, server, peer, random } = stage;
    const { unavailable } = journal;
    const work = await startWork(stage);
    await fill(stage, server);
    // The first commit that fails is often that of one caller, and all others are in the next one.
    const told = unavailable + (random.chance(0.5) ? 1 : 2);
    await until(journal, 'callers are told that the disk is full', async () => journal.unavailable >= told);
    await pause(random.between(0, 1000));
    await disk.free(server.pid);
    await untilServed(peer, journal);
    await until(journal, `${[...journal.dropped].join()}, whose runs are lost, have ended`, async () => {
      const dropped = await Promise.all([...journal.dropped].map((id) => peer.call('GetTask', { id })));
      return dropped.every(({ status }) => !RUNNING.includes(status.state));
    });
    await work.goOn(random);
    await work.endBy(() => server.kill());
    return 'gave up and went on';
  },
};

async function startWork({ peer, journal, random }: Stage): Promise<Work> {
  const work = new Work(new Calls(peer, journal), journal, random);
  await work.goOn(random);
  return work;
}

async function killWhileFull(stage: Stage): Promise<void> {
  const work = await startWork(stage);
  await fill(stage, stage.server);
  await pause(stage.random.between(0, 200));
  await work.endBy(() => stage.server.kill());
}

/** A little room may be left, so that it runs out in the middle of something. */
function fill({ disk, random }: Stage, { pid }: ServerProcess): Promise<void> {
  return disk.fill(pid, random.chance(0.3) ? 0 : random.between(0, 32) * PAGE_BYTES);
}

async function untilServed(peer: RpcPeer, journal: Journal): Promise<void> {
  const calls = new Calls(peer, journal);
  await until(journal, 'a message is taken again', async () => {
    const sent = calls.compose('SendMessage', 'count 3 1');
    await calls.deliver(sent);
    return sent.answer !== undefined;
  });
}

async function until(journal: Journal, what: string, isSo: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > PATIENCE_MS) {
      journal.problems.push(`Waited in vain until ${what}`);
      return;
    }
    await pause(5);
  }
}
