import { defineAgent } from 'parley-a2a';

export const agent = defineAgent({
  name: 'my-agent',
  description: 'Greets people, word by word',
  version: '0.1.0',
  skills: [
    {
      id: 'greet',
      name: 'Greeting',
      description: 'Greets the person you name, and asks for a name where there is none.',
      tags: ['greeting'],
      examples: ['Ada'],
    },
  ],
  async *run(task) {
    // The task waits for the caller's answer; a restart of the server does not lose it.
    const name = task.text.trim() || (await task.ask('What is your name?'));
    // Every yield is one chunk of the stream.
    for (const word of ['Hello, ', name, '!', ' Nice', ' to', ' meet', ' you.']) yield word;
  },
});
