// Elysia with a server mounted; prints where it listens.
import { Elysia } from 'elysia';
import { A2AServer, defineAgent } from 'parley-a2a';

const hello = defineAgent({
  name: 'hello',
  description: 'Greets',
  version: '1.0.0',
  run: (task) => `Hello, ${task.text}`,
});
const app = new Elysia().get('/own', 'the app').mount(new A2AServer({ agents: [hello] }).fetch);
app.listen({ port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
