import type { ServerInterceptor } from 'parley-a2a';
import type { CommitEntry } from 'parley-a2a/ports';
import { describe, expect, it } from 'vitest';
import { memory } from '../../../src/stores/memory.ts';
import { withStore } from '../../../src/stores/with-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { sendParams } from '../../support/rpc.ts';
import { gate } from '../../support/script.ts';
import { served } from './noting.ts';

describe('interceptors of commits', () => {
  it('are around each write to the store, with its tasks and the number of events', async () => {
    const commits: { readonly taskIds: readonly string[]; readonly events: number }[] = [];
    const { peer } = served([
      {
        async commit(commit, next) {
          commits.push(commit);
          await next();
        },
      },
    ]);
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(new Set(commits.flatMap(({ taskIds }) => taskIds))).toEqual(new Set([task.id]));
    expect(commits.reduce((sum, { events }) => sum + events, 0)).toBeGreaterThan(2);
  });

  it('do not write a second time where they fail after the write', async () => {
    let writes = 0;
    const inner = memory();
    const store = withStore(inner, {
      commit: (entries) => {
        writes += 1;
        return inner.commit(entries);
      },
    });
    let failures = 0;
    const { peer, errors } = served(
      [
        {
          async commit(_commit, next) {
            await next();
            failures += 1;
            throw new Error('too late');
          },
        },
      ],
      undefined,
      { store },
    );
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(writes).toBe(failures);
    expect(errors).toHaveLength(failures);
  });

  it.for<[string, NonNullable<ServerInterceptor['commit']>]>([
    [
      'throw while the write is under way',
      async (_, next) => {
        void next();
        throw new Error('boom');
      },
    ],
    ['give up waiting', (_, next) => Promise.race([next(), Promise.reject(new Error('too slow'))])],
    ['do not wait', async (_, next) => void next()],
    ['return nothing', ((_: unknown, next: () => Promise<void>) => void next()) as never],
    [
      'call next() twice',
      async (_, next) => {
        await next();
        await next();
      },
    ],
    ['call next() twice at once', async (_, next) => void (await Promise.all([next(), next()]))],
  ])('write once where they %s', async ([, commit]) => {
    const { store, batches } = slowStore();
    const { peer } = served([{ commit }], undefined, { store });
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(batches).toEqual([...new Set(batches)]);
  });

  it('write once where the outer one gives up on an inner one that is slow to begin', async () => {
    const { store, batches } = slowStore();
    const { peer } = served(
      [
        { commit: (_, next) => Promise.race([next(), Promise.reject(new Error('too slow'))]) },
        {
          async commit(_, next) {
            await turn();
            await next();
          },
        },
      ],
      undefined,
      { store },
    );
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(batches).toEqual([...new Set(batches)]);
  });

  it('have a write that failed tried again, also where they keep its error to themselves', async () => {
    const { store, batches } = slowStore(1);
    const { peer, errors } = served(
      [
        {
          async commit(_, next) {
            await next().catch(() => undefined);
          },
        },
      ],
      undefined,
      { store },
    );
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(batches.filter((batch) => batch === batches[0])).toHaveLength(2);
    expect(errors.map(String)).not.toContain('TypeError: An interceptor of commits must call next(), or throw');
  });

  it('that take long count as a slow store: the server is not ready until they are done', async () => {
    const released = gate();
    const clock = new ManualClock();
    const commit: ServerInterceptor['commit'] = async (_, next) => {
      await released.promise;
      await next();
    };
    const { server, peer } = served([{ commit }], undefined, { clock, limits: { requestTimeout: 1000 } });
    const isReady = async () => (await server.fetch(new Request('http://localhost/readyz'))).status;
    const sent = peer.call('SendMessage', sendParams('go'));
    await clock.advance(4_000);
    expect(await isReady()).toBe(200);
    await clock.advance(2_000);
    expect(await isReady()).toBe(503);
    released.resolve();
    expect(await sent).toHaveProperty('task');
    expect(await isReady()).toBe(200);
  });

  it('write nothing after they have ended', async () => {
    let late: Promise<unknown> | undefined;
    const { store, batches } = slowStore();
    const { peer } = served(
      [
        {
          async commit(_, next) {
            if (late) return next();
            late = afterTurn(next);
            throw new Error('too slow');
          },
        },
      ],
      undefined,
      { store },
    );
    const { task } = await peer.call('SendMessage', sendParams('go'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(String(await late)).toContain('next() was called after its interceptor had ended');
    expect(batches).toEqual([...new Set(batches)]);
  });
});

/** The error of a call that is late by a turn of the loop. */
async function afterTurn(next: () => Promise<void>): Promise<unknown> {
  await turn();
  return next().catch((error: unknown) => error);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A store whose writes take a while, and the batches that it was handed. `failures`: so many of the first ones fail. */
function slowStore(failures = 0) {
  const batches: string[] = [];
  const inner = memory();
  const store = withStore(inner, {
    async commit(entries: readonly CommitEntry[]) {
      batches.push(entries.map((entry) => (entry.kind === 'task' ? `${entry.head.id} ${entry.head.seq}` : '')).join());
      await turn();
      if (batches.length <= failures) throw new Error('The disk is away');
      return inner.commit(entries);
    },
  });
  return { store, batches };
}
