import { readFileSync } from 'node:fs';
import { A2AClient, A2AServer, defineAgent } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { timing } from './timing.ts';

const hello = defineAgent({
  name: 'hello',
  description: 'Greets',
  version: '1.0.0',
  async *run() {
    yield 'Hello';
  },
});

function served(mayCall: () => boolean = () => true) {
  const lines: string[] = [];
  const interceptors = [timing((line) => void lines.push(line.replace(/\d+ ms/, 'N ms')), mayCall)];
  const server = new A2AServer({ agents: [hello], interceptors });
  onTestFinished(() => server.close());
  const client = new A2AClient('http://localhost', { fetch: (input, init) => server.fetch(new Request(input, init)) });
  return { client, lines };
}

it('writes a line for each operation and each run', async () => {
  const { client, lines } = served();
  await client.sendMessage('hi');
  await client.sendMessageStream('hi').result;
  await expect(client.getTask('none')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  expect(lines).toEqual([
    'run 1 of hello: completed after N ms',
    'sendMessage of hello in v1_0: complete after N ms',
    'run 1 of hello: completed after N ms',
    'sendStreamingMessage of hello in v1_0: complete after N ms',
    'getTask of hello: TASK_NOT_FOUND',
    'getTask of hello in v1_0: complete after N ms',
  ]);
});

it('refuses whom it may', async () => {
  const { client, lines } = served(() => false);
  await expect(client.getTask('none')).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(lines).toEqual([]);
});

it('is what the page about extending shows', () => {
  const page = readFileSync(new URL('../../docs/guides/extending.md', import.meta.url), 'utf8');
  expect(page).toContain(readFileSync(new URL('./timing.ts', import.meta.url), 'utf8'));
});
