import { defineAgent } from 'parley-a2a';

/** Counts to ten. A run whose node dies goes on, on another node, behind the last number that is on disk. */
export const counter = defineAgent({
  name: 'counter',
  description: 'Counts to ten, whatever happens to its node',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    for (let number = 1; number <= 10; number += 1) {
      await task.step(`wait ${number}`, () => new Promise<void>((resolve) => setTimeout(resolve, 500)));
      yield `${number} `;
    }
  },
});
