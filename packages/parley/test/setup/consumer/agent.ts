import { defineAgent } from 'parley-a2a';

const greeting: string = 'Hello';

export const greeter = defineAgent({
  name: 'greeter',
  description: 'Greets',
  version: '1.0.0',
  async *run(task) {
    yield `${greeting}, ${task.text}!`;
  },
});
