// Serves from SQLite by listen(), calls itself, and prints what it saw: listens.mjs <file>
import { A2AClient, A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

const hello = defineAgent({
  name: 'hello',
  description: 'Greets',
  version: '1.0.0',
  async *run(task) {
    yield 'Hello, ';
    yield task.text;
  },
});
const server = await new A2AServer({ agents: [hello], store: sqlite(process.argv[2]) }).listen({ port: 0 });
const card = await (await fetch(`${server.url}/.well-known/agent-card.json`)).json();
const client = new A2AClient(server.url);
let heard = '';
for await (const text of client.sendMessageStream('Ada').textStream) heard += text;
const { tasks } = await client.listTasks();
await server.close();
console.log(JSON.stringify({ scheme: new URL(card.url).protocol, heard, tasks: tasks.length }));
