// A Worker with one server for each of its isolates, and, below /object, one in a Durable Object. Both keep tasks in memory.
import { A2AServer, defineAgent } from 'parley-a2a';
import { a2aFetch } from 'parley-a2a/fetch';

const hello = defineAgent({
  name: 'hello',
  description: 'Greets',
  version: '1.0.0',
  async *run(task) {
    const name = task.text === 'ask' ? await task.ask('What is your name?') : task.text;
    for (const word of ['Hello, ', name]) yield word;
  },
});

const options = { agents: [hello], anonymous: 'shared' };

export class Host {
  #fetch = a2aFetch(new A2AServer(options), { prefix: '/object' });

  fetch(request) {
    return this.#fetch(request);
  }
}

const server = new A2AServer(options);

export default {
  fetch(request, env) {
    if (!new URL(request.url).pathname.startsWith('/object')) return server.fetch(request);
    return env.HOST.get(env.HOST.idFromName('the one')).fetch(request);
  },
};
