import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

const greeter = defineAgent({
  name: 'greeter',
  description: 'Greets whoever writes',
  version: '1.0.0',
  async *run(task) {
    const name = task.text || (await task.ask('What is your name?')); // input-required, goes on with the answer
    for (const word of ['Hello, ', name, '!']) yield word; // streams chunks of one artifact
  },
});

await new A2AServer({ agents: [greeter], store: sqlite('greeter.db') }).listen({ port: 4001 });
