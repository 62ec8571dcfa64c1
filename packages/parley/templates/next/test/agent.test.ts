import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isTask, textOf } from 'parley-a2a';
import { testAgent } from 'parley-a2a/testing';
import { agent } from '../agent.ts';

// The whole server in memory, with a client; no port is opened.
const kit = testAgent(agent);
after(() => kit.close());

test('greets by name, in chunks', async () => {
  const stream = kit.client.sendMessageStream('Ada');
  const chunks: string[] = [];
  for await (const chunk of stream.textStream) chunks.push(chunk);
  assert.equal(chunks.join(''), 'Hello, Ada! Nice to meet you.');
  assert.equal((await stream.task).status.state, 'completed');
});

test('asks for a name where there is none', async () => {
  const asked = await kit.client.sendMessage('');
  assert.ok(isTask(asked));
  assert.equal(asked.status.state, 'input-required');
  const done = await kit.client.sendMessage('Grace', { taskId: asked.id });
  assert.ok(isTask(done));
  assert.match(textOf(done), /Hello, Grace!/);
});
