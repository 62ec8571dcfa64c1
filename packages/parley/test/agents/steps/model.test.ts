import fc from 'fast-check';
import { A2AServer, memory } from 'parley-a2a';
import { openQuestionsOf, QUESTIONS_EXTENSION } from 'parley-a2a/extensions';
import type { Store } from 'parley-a2a/ports';
import { expect, it } from 'vitest';
import { withStore } from '../../../src/stores/with-store.ts';
import { countOf } from '../../support/full.ts';
import { RpcPeer, sendParams, type Wire } from '../../support/rpc.ts';
import { DEFAULT, isParallel, type Program, programAgent, programs } from './step-programs.ts';

const CHILD: Program = [
  { do: 'stream', to: DEFAULT, token: '{child ' },
  { do: 'step', name: 'look up', token: 'found ' },
  { do: 'stream', to: DEFAULT, token: 'more ' },
  { do: 'step', name: 'look up', token: 'found again' },
  { do: 'stream', to: DEFAULT, token: '}' },
];

/** When a process is killed: at which of its commits, and whether that one gets to the disk. */
interface Kill {
  readonly commit: number;
  readonly isWritten: boolean;
}

const kills = fc.array(fc.record({ commit: fc.integer({ min: 1, max: 14 }), isWritten: fc.boolean() }), {
  maxLength: 5,
});

/** How many programs are tried. */
const numRuns = Number(process.env.STEP_RUNS ?? countOf(80, 800));
const FOREVER = new Promise<never>(() => {});
const NEVER: Kill = { commit: Number.POSITIVE_INFINITY, isWritten: true };

/** A process on a store that others were on before. */
class Incarnation {
  readonly peer: RpcPeer;
  readonly died: Promise<void>;
  readonly done: string[] = [];
  #isDead = false;

  constructor(inner: Store, program: Program, kill: Kill) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.died = promise;
    let commits = 0;
    const store = withStore(inner, {
      commit: async (entries) => {
        if (this.#isDead) return FOREVER;
        commits += 1;
        if (commits < kill.commit) return inner.commit(entries);
        this.#isDead = true;
        if (kill.isWritten) await inner.commit(entries);
        resolve();
        return FOREVER;
      },
    });
    const effect = async (key: string) => {
      if (this.#isDead) await FOREVER;
      this.done.push(key);
    };
    const child = programAgent('child', CHILD, effect);
    const agents = [programAgent('parent', program, effect, child), child];
    const limits = { resumes: 100 };
    const server = new A2AServer({ agents, store, limits, drainTimeout: 0, log: { error: () => {}, warn: () => {} } });
    this.peer = new RpcPeer(server.fetch, 'http://model.test/a2a');
  }

  /** Until the task has ended, answering its questions; undefined if the process was killed before. */
  async live(id: string): Promise<Wire> {
    return Promise.race([this.#toEnd(id), this.died.then(() => undefined)]);
  }

  async #toEnd(id: string): Promise<Wire> {
    while (!this.#isDead) {
      const task = await this.peer.call('GetTask', { id });
      const { state, message } = task.status;
      if (state === 'TASK_STATE_COMPLETED' || state === 'TASK_STATE_FAILED') return task;
      if (state === 'TASK_STATE_INPUT_REQUIRED') {
        const [asked] = openQuestionsOf(message);
        const metadata = asked ? { metadata: { [QUESTIONS_EXTENSION]: { id: asked.id } } } : {};
        const answer = sendParams(
          `[answer to ${asked?.prompt ?? message.parts[0].text}]`,
          { taskId: id, ...metadata },
          { returnImmediately: true },
        );
        const { error } = await this.peer.respond('SendMessage', answer);
        // Since the task was looked at, a run that was taken up may have come to the answer, or to its end.
        if (error && !/no longer waits for this answer|is already completed/.test(error.message))
          throw new Error(error.message);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  }
}

interface Outcome {
  readonly task: Wire;
  /** What was done in spite of its record. */
  readonly repeated: readonly string[];
  readonly done: ReadonlySet<string>;
}

async function run(program: Program, kills: readonly Kill[]): Promise<Outcome> {
  const store = memory();
  const repeated: string[] = [];
  const done = new Set<string>();
  let recorded = new Set<string>();
  let id: string | undefined;
  for (const kill of [...kills, NEVER]) {
    const process = new Incarnation(store, program, kill);
    id ??= await Promise.race([begun(process.peer), process.died.then(() => undefined)]);
    const task = id === undefined ? undefined : await process.live(id);
    for (const key of process.done) {
      done.add(key);
      if (recorded.has(key)) repeated.push(key);
    }
    if (new Set(process.done).size !== process.done.length) repeated.push(`twice in one run: ${process.done.join()}`);
    if (task) return { task, repeated, done };
    // A process that was killed before anybody knew of the task may have left it behind.
    id ??= (await store.abandoned('', 0, 10)).find(({ agent }) => agent === 'parent')?.id;
    recorded = new Set(await recordedKeys(store));
  }
  throw new Error('The last process is never killed');
}

async function begun(peer: RpcPeer): Promise<string> {
  return (await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }))).task.id;
}

async function recordedKeys(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for (const agent of ['parent', 'child']) {
    const owner = { tenant: '', subject: '' };
    const { heads } = await store.list({ agent, owner, limit: 1000 });
    for (const { id } of heads) {
      let messageSeq = 0;
      for (const { body } of await store.journal(id)) {
        if (body.kind === 'turn') messageSeq = Number(body.messageSeq);
        if (body.kind === 'step') keys.push(`${id}/${messageSeq}/${encodeURIComponent(body.step as string)}`);
      }
    }
  }
  return keys;
}

const byId = (left: Wire, right: Wire) => (left.artifactId < right.artifactId ? -1 : 1);

/** Tasks without what is different each time. */
function artifactsOf({ artifacts = [] }: Wire, isOrdered: boolean): Wire {
  return isOrdered ? artifacts : [...artifacts].sort(byId);
}

const saidIn = ({ history }: Wire): Wire => history.map(({ parts }: Wire) => parts[0].text);

/** Branches may take turns in another way each time, but none loses, repeats or swaps anything of its own. */
function expectSameTokens(artifacts: Wire, expected: Wire): void {
  const tokens = (all: Wire) => (JSON.stringify(all).match(/<\d+>|\{child|found again|more/g) ?? []).sort();
  expect(tokens(artifacts)).toEqual(tokens(expected));
}

/** Branches whose pieces or answers come from elsewhere, so that a resumed run could get them in another order. */
const MIXED: readonly { readonly program: Program; readonly kill: Kill }[] = [
  {
    program: [
      {
        do: 'parallel',
        branches: [
          [
            { do: 'retried step', name: 'book-0', token: '<2>' },
            { do: 'call', token: '<4>' },
          ],
          [
            { do: 'call', token: '<6>' },
            { do: 'stream', to: DEFAULT, token: '<8>' },
          ],
        ],
      },
    ],
    kill: { commit: 6, isWritten: true },
  },
  {
    program: [
      {
        do: 'parallel',
        branches: [
          [
            { do: 'retried step', name: 'fetch-0', token: '<2>' },
            { do: 'stream', to: 'a-0', token: '<3>' },
            { do: 'call', token: '<4>' },
          ],
          [{ do: 'call', token: '<5>' }],
          [
            { do: 'call', token: '<6>' },
            { do: 'stream', to: 'b-2', token: '<7>' },
            { do: 'end', to: 'b-2' },
          ],
        ],
      },
    ],
    kill: { commit: 7, isWritten: true },
  },
  // An answer that comes after a step, while the one before it is still on its way to the run.
  {
    program: [
      {
        do: 'parallel',
        branches: [
          [
            { do: 'stream', to: DEFAULT, token: '<2>' },
            { do: 'ask', token: '<4>' },
            { do: 'ask', token: '<6>' },
          ],
          [
            { do: 'ask', token: '<8>' },
            { do: 'ask', token: '<10>' },
            { do: 'ask', token: '<12>' },
            { do: 'step', name: 'fetch-1', token: '<14>' },
          ],
          [
            { do: 'ask', token: '<16>' },
            { do: 'step', name: 'fetch-2', token: '<18>' },
          ],
        ],
      },
      { do: 'stream', to: DEFAULT, token: '<19>' },
    ],
    kill: { commit: 11, isWritten: false },
  },
];

it.for(MIXED)('branches that take turns in another way lose and repeat nothing: %#', async ({ program, kill }) => {
  const expected = await run(program, []);
  for (let round = 0; round < countOf(20, 300); round += 1) {
    const { task } = await run(program, [kill]);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expectSameTokens(artifactsOf(task, false), artifactsOf(expected.task, false));
  }
});

it('any program that is killed at any commits does what it does without', { timeout: 1_000_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(programs, kills, async (program, plan) => {
      const expected = await run(program, []);
      expect(expected.task.status.state).toBe('TASK_STATE_COMPLETED');
      const { task, repeated, done } = await run(program, plan);
      expect(task.status.state, JSON.stringify(task.status)).toBe('TASK_STATE_COMPLETED');
      expect(repeated).toEqual([]);
      expect(done.size).toBe(expected.done.size);
      if (!isParallel(program)) {
        expect(artifactsOf(task, true)).toEqual(artifactsOf(expected.task, true));
        expect(saidIn(task)).toEqual(saidIn(expected.task));
        return;
      }
      const [got, wanted] = [artifactsOf(task, false), artifactsOf(expected.task, false)];
      const own = (all: Wire) => all.filter(({ name }: Wire) => name);
      expect(own(got)).toEqual(own(wanted));
      expectSameTokens(got, wanted);
    }),
    { numRuns, timeout: 30_000 },
  );
});
