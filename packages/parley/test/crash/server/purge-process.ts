// A server that keeps tasks for a moment only and is going to be killed; otherwise like `server-process.ts`.
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { writeComplaint } from '../check/complaints.ts';

const agent = defineAgent({
  name: 'busy',
  description: 'Keeps something of every kind',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    const words = await task.step('words', () => task.text.repeat(200));
    yield words;
    if (task.text.startsWith('keep')) await task.context.set('word', task.text);
    await task.step('more', () => 'more');
    yield words;
  },
});

const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit());
flushCompileCache();
console.log('loaded');
const [file] = await once(lines, 'line');
const server = new A2AServer({
  agents: [agent],
  store: sqlite(file),
  log: { warn: writeComplaint, error: writeComplaint },
  retention: { tasks: 30 },
  limits: { heartbeatInterval: 5 },
});
await server.listen({ port: 0 });
console.log(server.url);
