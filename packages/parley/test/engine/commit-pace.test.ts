import { expect, it } from 'vitest';
import type { CommitAttempts } from '../../src/engine/log/commit-attempts.ts';
import { type Committable, Committer } from '../../src/engine/log/committer.ts';
import type { CommitEntry, Logger } from '../../src/engine/ports.ts';

/** Turns of the loop are run by hand; time passes only where a test says so. */
class Loop {
  time = 1000;
  timers: { readonly at: number; readonly callback: () => void }[] = [];
  #turns: (() => void)[] = [];

  spend(milliseconds: number): void {
    this.time += milliseconds;
  }

  now = () => this.time;
  monotonic = () => this.time;
  nextTurn = (callback: () => void) => void this.#turns.push(callback);

  after = (milliseconds: number, callback: () => void, options?: { readonly keepsAlive: boolean }) => {
    expect(options).toEqual({ keepsAlive: true });
    const timer = { at: this.time + milliseconds, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  };

  async turn(): Promise<void> {
    for (const callback of this.#turns.splice(0)) callback();
    for (let microtask = 0; microtask < 10; microtask += 1) await Promise.resolve();
  }

  /** Runs turns until nothing is left to do without a timer. */
  async rest(): Promise<void> {
    do await this.turn();
    while (this.#turns.length > 0);
  }

  async pass(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    for (const { at, callback } of [...this.timers]) if (at <= this.time) callback();
    await this.rest();
  }
}

const silent: Logger = { warn() {}, error() {} };

/** A committer of one source, whose commits each take so many milliseconds to be told to readers. */
function committing(loop: Loop, turnLength: number) {
  const commits: number[] = [];
  const attempts: Pick<CommitAttempts, 'commit'> = {
    commit: async (entries: readonly CommitEntry[]) => entries.map(() => 'ok' as const),
  };
  const committer = new Committer({
    attempts: attempts as CommitAttempts,
    clock: loop,
    log: silent,
    followers: { tell: () => loop.spend(turnLength) } as never,
  });
  const source: Committable = {
    isMarked: false,
    isWithdrawn: false,
    take: () => {
      commits.push(loop.time);
      return {} as CommitEntry;
    },
    settled: () => undefined,
    told: () => {},
    refused: () => {},
    failed: () => {},
  };
  /** A turn alone that is long makes nobody wait. */
  const warmUp = async () => {
    for (let commit = 0; commit < 4; commit += 1) {
      committer.mark(source, true);
      await loop.rest();
    }
    expect([commits.length, loop.timers.length]).toEqual([4, 0]);
  };
  return { committer, source, commits, warmUp };
}

it('chunks of a server that is not busy are committed in the next turn, one commit after the other', async () => {
  const loop = new Loop();
  const { committer, source, commits } = committing(loop, 0.2);
  for (let chunk = 0; chunk < 5; chunk += 1) {
    committer.mark(source, true);
    await loop.rest();
  }
  expect(commits).toHaveLength(5);
  expect(loop.timers).toEqual([]);
});

it('chunks of a busy server gather for four times as long as readers took, and for five milliseconds at most', async () => {
  for (const { turn, pause } of [
    { turn: 0.5, pause: 2 },
    { turn: 1, pause: 4 },
    { turn: 4, pause: 5 },
  ]) {
    const loop = new Loop();
    const { committer, source, commits, warmUp } = committing(loop, turn);
    await warmUp();
    for (let chunk = 0; chunk < 20; chunk += 1) committer.mark(source, true);
    await loop.rest();
    expect(commits).toHaveLength(4);
    expect(loop.timers.map(({ at }) => at - (commits.at(-1) ?? 0))).toEqual([pause]);
    await loop.pass(pause);
    expect(commits).toHaveLength(5);
  }
});

it('anything but a chunk ends the pause, and takes the chunks along', async () => {
  const loop = new Loop();
  const { committer, source, commits, warmUp } = committing(loop, 2);
  await warmUp();
  committer.mark(source, true);
  await loop.rest();
  expect([commits.length, loop.timers.length]).toEqual([4, 1]);
  committer.mark(source);
  await loop.rest();
  expect([commits.length, loop.timers.length]).toEqual([5, 0]);
});

it('chunks of many tasks do not gather: to tell all their readers at once would take too long', async () => {
  const loop = new Loop();
  const { committer, source, commits, warmUp } = committing(loop, 1);
  await warmUp();
  const sources = Array.from({ length: 64 }, () => ({ ...source, isMarked: false }));
  for (const one of sources.slice(1)) committer.mark(one, true);
  await loop.rest();
  expect([commits.length, loop.timers.length]).toEqual([4, 1]);
  committer.mark(sources[0] as Committable, true);
  await loop.rest();
  expect([commits.length, loop.timers.length]).toEqual([4 + 64, 0]);
});

it('who waits for the end of all commits does not wait for a pause', async () => {
  const loop = new Loop();
  const { committer, source, commits, warmUp } = committing(loop, 2);
  await warmUp();
  committer.mark(source, true);
  await loop.rest();
  const drained = committer.drained();
  await loop.rest();
  await drained;
  expect(commits).toHaveLength(5);
});
