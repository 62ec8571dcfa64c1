import { existsSync } from 'node:fs';
import { defineAgent } from 'parley-a2a';

/** Says who begins, waits until there is a file with the name that it was sent, and says who has waited for it. */
export const waiting = defineAgent({
  name: 'waiting',
  description: 'Waits for a file',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    yield `begun by ${await task.step('begin', () => process.pid)}\n`;
    const waited = await task.step('wait', async () => {
      while (!existsSync(task.text)) {
        task.signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return process.pid;
    });
    yield `ended by ${waited}\n`;
  },
});
