import { type Agent, defineAgent, json, type TaskContext, textOf } from 'parley-a2a';
import type { StepOptions } from 'parley-a2a/types';

/** What the world of the agent is made of: files and kills in a server, nothing in the test that says what to expect. */
export interface World {
  /** A place at which the process may be killed; the name is the same however often a run comes there. */
  at(point: string): Promise<void>;
  /** Something that happens outside and is seen there. */
  effect(step: string): void;
}

export const CHILD = 'digger';

export function stepAgents(world: World): Agent[] {
  const digger = resumable(CHILD, async function* (task) {
    yield 'digging ';
    yield `${await step(world, task, 'dig')} `;
    yield 'dug ';
  });
  const worker = resumable('worker', (task) => work(world, task, digger));
  return [worker, digger];
}

function resumable(name: string, run: (task: TaskContext) => AsyncGenerator<string | ReturnType<typeof json>>): Agent {
  return defineAgent({ name, description: `The ${name}`, version: '1.0.0', resumable: true, run });
}

async function* work(world: World, task: TaskContext, digger: Agent) {
  const perform = (name: string, options?: StepOptions) => step(world, task, name, options);
  yield 'begin ';
  yield `${await perform('one')} `;
  const report = task.artifact({ name: 'report', description: 'Digits only' });
  await report.write('1');
  yield 'between ';
  for (let round = 0; round < 3; round += 1) {
    yield `${await perform('loop')} `;
    await report.write(`${round}`);
  }
  const short = task.artifact({ artifactId: 'short', name: 'short' });
  await short.write('0');
  const [left, right] = await Promise.all([perform('left'), perform('right')]);
  await short.end('00');
  yield `${left} ${right} `;
  await task.status('Trying');
  yield `${await perform('flaky', { retry: { attempts: 2, firstDelay: 1 } })} `;
  await world.at('before the question');
  yield `for ${await task.ask('For whom?')} `;
  await world.at('after the answer');
  yield* task.call(digger, 'go').textStream;
  await world.at('after the call');
  yield json({ is: 'between' });
  yield 'nearly ';
  const notes = task.artifact({ artifactId: 'notes', name: 'notes' });
  for (const message of task.messages().take()) await notes.write(textOf(message));
  yield `${await perform('last')} `;
  yield 'end';
}

async function step(world: World, task: TaskContext, name: string, options?: StepOptions): Promise<string> {
  let key: string | undefined;
  const result = await task.step(
    name,
    async ({ idempotencyKey, attempt }) => {
      if (name === 'flaky' && attempt === 1) throw new Error('The first attempt fails');
      key = idempotencyKey;
      await world.at(`${key} before`);
      world.effect(key);
      await world.at(`${key} done`);
      return `${name}!`;
    },
    options,
  );
  // Where it was recorded by a run before, there is nothing between that and here.
  if (key !== undefined) await world.at(`${key} recorded`);
  return result;
}
