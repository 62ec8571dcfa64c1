import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { A2AClient, A2AServer } from 'parley-a2a';
import { agent } from '../src/agent.ts';
import { createApp } from '../src/app.ts';

const a2a = new A2AServer({ agents: [agent] });
const server = createApp(a2a).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(async () => {
  await a2a.close();
  server.close();
});

test('serves the agent', async () => {
  const client = await A2AClient.connect(url);
  assert.equal(await client.run('Ada'), 'Hello, Ada! Nice to meet you.');
});

test('has routes of its own', async () => {
  const response = await fetch(url);
  assert.match(await response.text(), /The agent is at/);
});
