import { describe, expect, it } from 'vitest';
import { memory } from '../../../src/stores/memory.ts';
import { withStore } from '../../../src/stores/with-store.ts';
import { sendParams } from '../../support/rpc.ts';
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
});
