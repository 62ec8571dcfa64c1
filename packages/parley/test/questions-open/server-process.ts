// A server in a process of its own, for tests that kill it: server-process.ts <file>
import { appendFileSync } from 'node:fs';
import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

const [file = ''] = process.argv.slice(2);

const agent = defineAgent({
  name: 'planner',
  description: 'Asks for several things at once',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    yield 'Plan: ';
    const wanted = (name: string) =>
      task.ask(`${name}?`).then((answer) =>
        task.step(name, () => {
          appendFileSync(`${file}.effects`, `${name} ${answer}\n`);
          return `${name}=${answer}`;
        }),
      );
    yield (await Promise.all(['who', 'where', 'when'].map(wanted))).join(', ');
  },
});

const server = new A2AServer({ agents: [agent], store: sqlite(file) });
await server.listen({ port: 0 });
console.log(server.url);
