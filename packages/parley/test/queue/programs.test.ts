import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PRIORITIES, type Priority } from '../../src/model/operations.ts';
import { isTerminal } from '../../src/model/states.ts';
import { isTask } from '../../src/model/task.ts';
import { SCOPE, sendCall, userMessage } from '../engine/support/puppet.ts';
import { countOf } from '../support/full.ts';
import { type Moment, MortalNodes } from './mortal-nodes.ts';

type Command =
  | { readonly kind: 'send'; readonly at: number; readonly context: number; readonly priority: Priority }
  | { readonly kind: 'say' | 'cancel'; readonly at: number; readonly task: number }
  | { readonly kind: 'end'; readonly run: number; readonly asks: boolean }
  | { readonly kind: 'kill'; readonly at: number; readonly moment: Moment }
  | { readonly kind: 'pass'; readonly milliseconds: number };

const index = fc.nat(30);
const COMMAND: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      at: index,
      context: fc.nat(3),
      priority: fc.constantFrom(...PRIORITIES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('say' as const, 'cancel' as const), at: index, task: index }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('end' as const), run: index, asks: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      at: index,
      moment: fc.constantFrom<Moment[]>('claim', 'commit', 'now'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.nat(15_000) }) },
);

/** Callers may be refused: the task has ended, or their node dies. */
function ignore(promise: Promise<unknown>): void {
  promise.catch(() => {});
}

/** Carries out a program on three nodes, of which one is left at least, and lets everything come to its end. */
async function perform(commands: readonly Command[], isResumable: boolean): Promise<void> {
  const nodes = new MortalNodes(isResumable);
  const ids: string[] = [];
  for (const runs of [1, 2, 1]) await nodes.add(runs);
  const nodeAt = (at: number) => nodes.alive[at % nodes.alive.length] as (typeof nodes.nodes)[number];
  const ended = new Set<unknown>();
  const openRuns = () =>
    nodes.alive.flatMap(({ runs }) => runs).filter((run) => !ended.has(run) && !run.handle.isAborted);

  for (const command of commands) {
    switch (command.kind) {
      case 'send': {
        const { at, context, priority } = command;
        const message = userMessage('go', { contextId: `context ${context}` });
        const sent = nodeAt(at).engine.send(sendCall(message, { priority }));
        ignore(sent.then((task) => isTask(task) && ids.push(task.id)));
        break;
      }
      case 'say':
      case 'cancel': {
        const id = ids[command.task % Math.max(1, ids.length)];
        if (id === undefined) break;
        const { engine } = nodeAt(command.at);
        const asked =
          command.kind === 'say'
            ? engine.send(sendCall(userMessage('more', { taskId: id })))
            : engine.cancel(SCOPE, { id });
        ignore(asked);
        break;
      }
      case 'end': {
        const runs = openRuns();
        const run = runs[command.run % Math.max(1, runs.length)];
        if (!run) break;
        ended.add(run);
        run.end({ state: command.asks ? 'input-required' : 'completed' });
        break;
      }
      case 'kill':
        if (nodes.safe.length > 1) nodes.safe[command.at % nodes.safe.length]?.dieAt(command.moment);
        break;
      case 'pass':
        await nodes.world.pass(command.milliseconds, 500);
    }
    if (command.kind !== 'send') await nodes.world.pass(20, 10);
  }

  await nodes.add(2);
  let idle = 0;
  while (idle < 3) {
    const runs = openRuns();
    for (const run of runs) {
      ended.add(run);
      run.end({ state: 'completed' });
    }
    idle = runs.length === 0 ? idle + 1 : 0;
    await nodes.world.pass(8000, 500);
  }

  // The first commit of a task may be lost with its node; then no caller knows of it.
  for (const id of new Set([...ids, ...nodes.queued.keys()])) {
    const head = await nodes.store.head(id);
    if (!head) throw new Error(`There is no task ${id}`);
    const { state } = head.status;
    expect(isTerminal(state) || state === 'input-required', `${id} is ${state}`).toBe(true);
  }
  expect((await nodes.store.queue?.queueState())?.turns).toBe(0);
  expect(nodes.repeated).toEqual([]);
  await expectOrder(nodes);
  await nodes.close();
}

/** Of one context and priority, those who waited have begun in the order in which they came: by arrival, and to the store. */
async function expectOrder({ started, queued, store }: MortalNodes): Promise<void> {
  const written = [...queued.keys()];
  const first = [...started].filter((id) => queued.has(id));
  const places = await Promise.all(
    first.map(async (id) => {
      const { priority = 0, arrival = 0 } = queued.get(id) ?? {};
      const { contextId } = (await store.head(id)) ?? {};
      return { id, lane: `${contextId} ${priority}`, arrival, order: written.indexOf(id) };
    }),
  );
  const overtaken = places.flatMap((place, position) => {
    const { id, lane, arrival, order } = place;
    const later = places.slice(position + 1).filter((other) => other.lane === lane && other.order < order);
    return later.filter((other) => other.arrival < arrival || (other.arrival === arrival && other.id < id));
  });
  expect(overtaken).toEqual([]);
}

it.each([
  false,
  true,
])('random programs leave no task behind and run no turn twice (resumable: %s)', async (isResumable) => {
  await fc.assert(
    fc.asyncProperty(fc.array(COMMAND, { minLength: 5, maxLength: 40 }), (commands) => perform(commands, isResumable)),
    { numRuns: countOf(40, 1500) },
  );
});
