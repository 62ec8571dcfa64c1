import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, defineAgent } from 'parley-a2a';

const ALWAYS = ['passport', 'toothbrush', 'charger', 'something to read'];
const WARM = ['sun cream', 'swimwear', 'a hat'];
const COLD = ['gloves', 'a warm coat', 'thick socks'];

/** Says what to pack, one thing after the other. */
export const packer: Agent = defineAgent({
  name: 'packer',
  description: 'Writes a packing list for a journey',
  version: '1.0.0',
  skills: [
    {
      id: 'pack',
      name: 'Packing list',
      description: 'Lists what to take along. Say where you go, and whether it is warm or cold there.',
      tags: ['travel'],
      examples: ['Lisbon, warm', 'Tromsø, cold'],
    },
  ],
  async *run(task) {
    yield `For ${task.text.trim() || 'your journey'}:\n`;
    const weather = /cold|snow|winter/i.test(task.text) ? COLD : WARM;
    for (const thing of [...ALWAYS, ...weather]) {
      await pause(200, undefined, { signal: task.signal });
      yield `- ${thing}\n`;
    }
  },
});
