import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { CommitFollowers, type Committed } from '../../src/engine/follow/commit-followers.ts';
import type { Bus } from '../../src/engine/ports.ts';
import { Feeds } from '../../src/engine/read/feeds.ts';
import { memory } from '../../src/stores/memory.ts';
import { manualClock } from '../engine/support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, SILENT, sendCall, settle, userMessage } from '../engine/support/puppet.ts';

const committed = (id: string): Committed => ({
  task: { id, contextId: 'context', agent: 'agent' },
  seq: 1,
  records: [{ event: { kind: 'created', seq: 1, time: 0 }, size: 1 }],
});

const idsOf = (commits: readonly Committed[]) => commits.map(({ task }) => task.id).join();

describe('followers of commits', () => {
  it('are told in the order in which they came, whatever another one does', async () => {
    const errors: unknown[] = [];
    const followers = new CommitFollowers({ ...SILENT, error: (_, details) => void errors.push(details?.error) });
    const told: string[] = [];
    const broken = new Error('broken');
    followers.add(() => {
      throw broken;
    });
    followers.add((): unknown => Promise.reject(broken));
    const end = followers.add((commits) => void told.push(`first ${idsOf(commits)}`));
    followers.add((commits) => void told.push(`second ${idsOf(commits)}`));
    followers.tell([committed('one'), committed('two')]);
    followers.tell([]);
    end();
    followers.tell([committed('three')]);
    expect(told).toEqual(['first one,two', 'second one,two', 'second three']);
    await settle();
    expect(errors).toEqual(Array(4).fill(broken));
  });
});

describe('the feeds of a node', () => {
  it('follow commits like everything else: readers get the records of the writer, at once and without a promise', () => {
    const followers = new CommitFollowers(SILENT);
    const feeds = new Feeds({
      node: () => 'node',
      store: memory(),
      bus: localBus(),
      clock: manualClock(),
      log: SILENT,
      recentBytes: 1_000,
      pollInterval: 1_000,
    });
    followers.add(feeds.follow);
    const broken = feeds.acquire('one');
    const feed = feeds.acquire('two');
    let woken = 0;
    broken.park(() => {
      throw new Error('A reader fails');
    });
    feed.park(() => (woken += 1));
    const commits = ['one', 'two', 'three'].map(committed);
    followers.tell(commits);
    expect(woken).toBe(1);
    expect(feed.latest).toBe(1);
    expect(feed.after(0)?.records[0]).toBe(commits[1]?.records[0]);
  });
});

describe('the followers of an engine', () => {
  /** A bus that notes what it is told. */
  const notingBus = (told: string[]): Bus => ({
    ...localBus(),
    publish: (_, notices) => void told.push(...notices.map(({ seq }) => `bus ${seq}`)),
  });

  it('are the readers of this node, the bus, and whoever else follows: of each commit in this order', async () => {
    const told: string[] = [];
    const puppets = new Puppeteer();
    const engine = engineOn(memory({ shared: true }), puppets, { bus: notingBus(told) });
    await engine.open();
    engine.followCommits((commits) => void told.push(...commits.map(({ seq }) => `follower ${seq}`)));
    const task = await engine.send(sendCall(userMessage('go')));
    const id = 'history' in task ? task.id : '';
    const subscription = await engine.subscribe(SCOPE, id);
    subscription.poll();
    told.length = 0;
    const { handle, end } = puppets.of(id);
    for (const text of ['one', 'two']) {
      subscription.whenReady(() => {
        const seq = subscription.poll()?.events.records.at(-1)?.event.seq;
        told.push(`reader ${seq}`);
      });
      await handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text }], streamed: true });
      await settle();
    }
    const places = told.filter((line) => line.startsWith('reader')).map((line) => line.split(' ')[1]);
    expect(places).toHaveLength(2);
    expect(told).toEqual(places.flatMap((seq) => [`reader ${seq}`, `bus ${seq}`, `follower ${seq}`]));
    subscription.close();
    end({ state: 'completed' });
    await engine.close();
  });

  it('are told of tasks that the store has accepted, and of nothing else', async () => {
    const told: string[] = [];
    const puppets = new Puppeteer();
    const store = memory();
    const engine = engineOn(store, puppets, {
      commit: async (entries) => {
        const results = await store.commit(entries);
        return results.map((result, index) => (told.length > 0 && entries[index] ? 'conflict' : result));
      },
    });
    await engine.open();
    engine.followCommits((commits) => void told.push(...commits.map(({ task }) => task.id)));
    const task = await engine.send(sendCall(userMessage('go')));
    const id = 'history' in task ? task.id : '';
    expect(told).toEqual([id]);
    puppets.of(id).end({ state: 'completed' });
    await settle();
    expect(told).toEqual([id]);
    await engine.close();
  });
});
