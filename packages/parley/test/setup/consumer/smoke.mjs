// A program of somebody who installed the package: plain JavaScript, run by `pack.test.ts` far from the sources.
import assert from 'node:assert/strict';
import { A2AServer, defineAgent, serve } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

const [, , file] = process.argv;

const hello = defineAgent({
  name: 'hello',
  description: 'Greets',
  version: '1.0.0',
  async *run(task) {
    yield 'Hello, ';
    yield `${task.text}!`;
  },
});

async function call(url, method, params) {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  assert.equal(response.status, 200);
  return response.headers.get('content-type').startsWith('text/event-stream')
    ? response.text()
    : (await response.json()).result;
}

const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'world' }] };

// `worker` insists on the writer thread: it fails where the thread's file was not packed.
const first = new A2AServer({ agents: [hello], store: sqlite(file, { writer: 'worker' }) });
await first.listen({ port: 0 });
const { task } = await call(first.url, 'SendMessage', { message });
assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
assert.deepEqual(task.artifacts[0].parts, [{ text: 'Hello, world!' }]);
const stream = await call(first.url, 'SendStreamingMessage', { message });
assert.match(stream, /TASK_STATE_COMPLETED/);
await first.close();

// The one-liner, and the task that the server before it left in the file.
const second = await serve(hello, { port: 0, store: sqlite(file) });
assert.deepEqual(await call(second.url, 'GetTask', { id: task.id }), task);
await second.close();

// Nothing keeps the process alive: it ends by itself after this line.
console.log(`served and kept on ${process.version}`);
