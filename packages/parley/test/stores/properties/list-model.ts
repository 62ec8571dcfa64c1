import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListCursor, ListQuery, ListResult, Store, TaskCommit, TaskHead } from '../../../src/engine/ports.ts';
import { isTerminal, TASK_STATES } from '../../../src/model/states.ts';
import type { StoreTestBed } from '../../../src/testing/store-contract/runner.ts';
import { append, chunkEvent, creation, NODE, statusEvent } from '../fixtures.ts';

const TASKS = 24;
const SUBJECTS = ['alice', 'bob'];
const CONTEXTS = 3;

/** One change of one task; a stale one is refused. */
const step = fc.record({
  task: fc.nat(TASKS - 1),
  kind: fc.constantFrom('status', 'status', 'chunk', 'stale'),
  state: fc.constantFrom(...TASK_STATES),
  time: fc.nat(12),
});
const batches = fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 12 });
const pages = fc.record({ limit: fc.integer({ min: 1, max: 9 }), since: fc.option(fc.nat(12), { nil: undefined }) });
/** After each batch: which tasks that have ended are removed, if any. */
const purgeTimes = fc.array(fc.option(fc.nat(12), { nil: undefined }), { maxLength: 12 });

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Compares a store with lists that are made by sorting and counting everything. */
export function describeListModel(bed: Pick<StoreTestBed, 'store' | 'now'>): void {
  describe('list, against a model', () => {
    it('pages and totals are right after any changes', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(batches, pages, purgeTimes, async (changes, page, purges) => {
          run += 1;
          const model = new Map<string, TaskHead>();
          for (const [index, change] of changes.entries()) {
            await apply(bed.store, model, change, `run ${run}`);
            const endedBefore = purges[index];
            if (endedBefore !== undefined) await purge(bed.store, model, endedBefore);
            const everyone: ListQuery = { agent: agentOf(`run ${run}`), limit: page.limit };
            expect(await allPages(bed.store, everyone)).toEqual(expected(model, everyone));
          }
          for (const query of queries(`run ${run}`, page.limit, page.since)) {
            expect(await allPages(bed.store, query)).toEqual(expected(model, query));
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}

async function apply(store: Store, model: Map<string, TaskHead>, steps: readonly Step[], tenant: string) {
  const entries = steps.map((each): TaskCommit => {
    const id = `${tenant}, task ${String(each.task).padStart(2, '0')}`;
    const head = model.get(id);
    const entry = head ? change(head, each) : creation(id, newTask(each, tenant));
    if (each.kind !== 'stale' || !head) model.set(id, entry.head);
    return entry;
  });
  const results = await store.commit(entries);
  expect(results).toEqual(entries.map(({ expectedLease }) => (expectedLease > 1 ? 'conflict' : 'ok')));
}

async function purge(store: Store, model: Map<string, TaskHead>, endedBefore: number) {
  const isGone = ({ status, statusTime, lease }: TaskHead) =>
    isTerminal(status.state) && statusTime < endedBefore && lease.node === null;
  const gone = [...model.values()].filter(isGone).map(({ id }) => id);
  const removed: string[] = [];
  for (;;) {
    const batch = await store.purge({ endedBefore, limit: 3 });
    if (batch.length === 0) break;
    removed.push(...batch);
  }
  // Earlier runs have left tasks in the same store.
  expect(removed.filter((id) => model.has(id)).toSorted()).toEqual(gone.toSorted());
  for (const id of gone) model.delete(id);
}

/** Each run has an agent of its own, so that lists of everyone have the tasks of that run alone. */
function agentOf(tenant: string): string {
  return `agent of ${tenant}`;
}

function newTask({ task, state, time }: Step, tenant: string) {
  const subject = SUBJECTS[task % 2] ?? '';
  return {
    agent: agentOf(tenant),
    owner: { tenant, subject },
    contextId: `${subject} ${task % CONTEXTS}`,
    state,
    time,
  };
}

function change(head: TaskHead, { kind, state, time }: Step): TaskCommit {
  const seq = head.seq + 1;
  if (kind === 'chunk') return append(head, [chunkEvent(seq)], { head: { openFrom: head.openFrom || seq } });
  const lease = { number: 1, node: isTerminal(state) ? null : NODE };
  const entry = append(head, [statusEvent(seq, state, time)], { head: { lease } });
  return kind === 'stale' ? { ...entry, expectedLease: 2 } : entry;
}

function* queries(tenant: string, limit: number, since: number | undefined): Generator<ListQuery> {
  const agent = agentOf(tenant);
  const times = since === undefined ? [undefined] : [undefined, since];
  for (const statusSince of times) {
    for (const subject of SUBJECTS) {
      for (const contextId of [undefined, `${subject} 0`, `${subject} 1`]) {
        for (const state of [undefined, ...TASK_STATES]) {
          yield { agent, owner: { tenant, subject }, contextId, state, limit, statusSince };
        }
      }
    }
    // Operators see the tasks of everyone, or of one tenant.
    for (const whose of [{}, { tenant }]) {
      for (const contextId of [undefined, 'alice 0']) {
        for (const state of [undefined, 'completed'] as const) {
          yield { agent, ...whose, contextId, state, limit, statusSince };
        }
      }
    }
  }
}

async function allPages(store: Store, query: ListQuery): Promise<ListResult> {
  const heads: TaskHead[] = [];
  let after: ListCursor | undefined;
  for (;;) {
    const page = await store.list({ ...query, after });
    heads.push(...page.heads);
    const last = page.heads.at(-1);
    if (!last || page.heads.length < query.limit) return { heads, total: page.total };
    after = { statusTime: last.statusTime, id: last.id };
  }
}

function expected(model: ReadonlyMap<string, TaskHead>, query: ListQuery): ListResult {
  const heads = [...model.values()].filter(
    (head) =>
      (query.owner ? head.owner.subject === query.owner.subject : true) &&
      (query.contextId === undefined || head.contextId === query.contextId) &&
      (query.state === undefined || head.status.state === query.state) &&
      (query.statusSince === undefined || head.statusTime >= query.statusSince),
  );
  heads.sort((left, right) => right.statusTime - left.statusTime || (left.id < right.id ? 1 : -1));
  return { heads, total: heads.length };
}
