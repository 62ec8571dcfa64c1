import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';

/** A program that serves one agent whose run never ends, and has a task of it at work. */
const PROGRAM = `
const { A2AServer, defineAgent } = await import('parley-a2a');
const { closeOnSignals } = await import('parley-a2a/node');
const slow = defineAgent({ name: 'slow', description: 'Never ends', version: '1.0.0', run: () => new Promise(() => {}) });
const server = new A2AServer({ agents: [slow], drainTimeout: Number(process.env.DRAIN), log: { error() {}, warn() {} } });
await server.listen({ port: 0 });
closeOnSignals(server);
const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
const params = { message, configuration: { returnImmediately: true } };
await server.handleJsonRpc({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params }, { headers: { 'a2a-version': '1.0' } });
console.log(server.url);
`;

async function program(drainTimeout: number) {
  const flags = ['--conditions=parley-source', '--input-type=module', '-e', PROGRAM];
  const { npm_lifecycle_event: _, ...env } = process.env;
  const child = spawn(process.execPath, flags, {
    cwd: import.meta.dirname,
    env: { ...env, DRAIN: String(drainTimeout) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [text] = await once(child.stdout, 'data');
  return { child, url: String(text).trim(), ended };
}

const isDraining = async (url: string) => (await fetch(`${url}/readyz`)).status === 503;

it('the first signal ends a program with 0 once its runs have had their time', async () => {
  const { child, ended } = await program(10);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it.for([
  ['SIGTERM', 'SIGINT', 130],
  ['SIGINT', 'SIGTERM', 143],
] as const)('%s and then %s end it at once with %i', async ([first, second, code]) => {
  const { child, url, ended } = await program(3_600_000);
  child.kill(first);
  await expect.poll(() => isDraining(url)).toBe(true);
  child.kill(second);
  expect(await ended).toEqual([code, null]);
});
