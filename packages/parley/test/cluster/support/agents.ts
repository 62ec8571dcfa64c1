import { type Agent, defineAgent, inputRequired, type TaskContext } from 'parley-a2a';
import { pause } from '../../support/script.ts';

/** A message of this many chunks: `<name>:<chunks>`. */
export function orderOf(name: string, chunks: number): string {
  return `${name}:${chunks}`;
}

/** The text of a task that was not disturbed, or that went on as if it had not been. */
export function textOfOrder(order: string): string {
  const [name, chunks] = order.split(':');
  return Array.from({ length: Number(chunks) }, (_, number) => `${name}.${number} `).join('');
}

/** Milliseconds between two chunks. */
const REST_MS = 20;

async function* count(order: string, rest: (number: number) => Promise<unknown>) {
  const [name, chunks] = order.split(':');
  for (let number = 0; number < Number(chunks); number += 1) {
    await rest(number);
    yield `${name}.${number} `;
  }
}

const base = { version: '1.0.0', description: 'Counts' };

/** Goes on after its node died. */
const counter: Agent = defineAgent({
  ...base,
  name: 'counter',
  resumable: true,
  run: (task: TaskContext) => count(task.text, (number) => task.step(`rest ${number}`, () => pause(REST_MS))),
});

/** Fails with its node. */
const plain: Agent = defineAgent({ ...base, name: 'plain', run: (task) => count(task.text, () => pause(REST_MS)) });

/** Asks once in the middle, and counts again what the answer says. */
const asker: Agent = defineAgent({
  ...base,
  name: 'asker',
  async *run(task) {
    yield* count(task.text, () => pause(REST_MS));
    return task.history.length === 0 ? inputRequired('And then?') : undefined;
  },
});

/** The agents of every node. The default one is resumable. */
export const CLUSTER_AGENTS: readonly Agent[] = [counter, plain, asker];
