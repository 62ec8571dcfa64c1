import { request } from 'node:http';
import { StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { A2AServer } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from '../cli/support/child.ts';
import { cli } from '../cli/support/in-process.ts';
import { temporaryFolder } from '../setup/support/repository.ts';
import { AGENTS, worker } from './support/agents.ts';
import { GENERATIONS, type Generation, newCaller, oldCaller, type Person } from './support/bridge.ts';

const { agent: busy, seen } = worker();
const server = new A2AServer({ agents: [...AGENTS, busy] });
let bridge: ReturnType<typeof start>;
let url: string;

const launch = async (...args: readonly string[]) => {
  const urls = ['asker', 'worker'].map((name) => `${server.url}/a2a/agents/${name}`);
  const running = start(['mcp', ...urls, '--http', '0', ...args]);
  const found = await running.until((stdout) => /^http:\S+\/mcp$/m.exec(stdout)?.[0], 'the address');
  return { running, found };
};

// Processes are killed when the test ends that started them, so the one of all tests is started by the first.
beforeAll(async () => {
  await server.listen({ port: 0 });
});
afterAll(() => server.close());

describe('parley mcp over HTTP', () => {
  const connect = (generation: Generation, at: string, person?: Person) =>
    generation === '2025-11-25'
      ? oldCaller(new OldHttp(new URL(at)) as never, person)
      : newCaller(new NewHttp(new URL(at)), person);

  it('serves clients of both generations, with questions, cancelling and an end', async () => {
    ({ running: bridge, found: url } = await launch());
    for (const generation of GENERATIONS) {
      const person: Person = () => ({ action: 'accept', content: { answer: 'Ann' } });
      const caller = await connect(generation, url, person);
      expect((await caller.listTools()).map(({ name }) => name)).toEqual(['asker', 'worker']);
      const { content } = await caller.callTool('asker', { message: 'hi' });
      expect(content[0]).toEqual({ type: 'text', text: 'Hello, Ann' });

      const stop = new AbortController();
      const before = seen.length;
      const calling = caller.callTool('worker', { message: 'go' }, { signal: stop.signal });
      await expect.poll(() => seen.length).toBe(before + 1);
      stop.abort();
      await expect(calling).rejects.toThrow();
      const task = `${server.url}/a2a/agents/worker/tasks/${seen.at(-1)?.split(' ')[1]}`;
      const stateOf = async () =>
        ((await (await fetch(task, { headers: { 'a2a-version': '1.0' } })).json()) as { status: { state: string } })
          .status.state;
      await expect.poll(stateOf).toBe('TASK_STATE_CANCELED');
      await caller.close();
    }
    await refusesStrangers();
    bridge.child.kill('SIGTERM');
    expect((await bridge.ended).code).toBe(0);
  });

  async function refusesStrangers() {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const statusOf = (headers: Record<string, string>, { path = '/mcp', method = 'POST', text = body } = {}) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(new URL(path, url), { method, headers: { ...json, ...headers } }, (response) => {
          response.resume();
          response.once('end', () => resolve(response.statusCode));
        });
        sent.once('error', reject);
        sent.end(method === 'POST' ? text : undefined);
      });
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(await statusOf({ origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await statusOf({})).toBe(400);
    expect(await statusOf({ 'mcp-session-id': 'unknown' })).toBe(404);
    expect(await statusOf({}, { text: '{' })).toBe(400);
    expect(await statusOf({ 'content-type': 'text/plain' })).toBe(415);
    expect(await statusOf({}, { method: 'PUT' })).toBe(405);
    expect(await statusOf({}, { path: '/' })).toBe(404);
    expect(await statusOf({}, { text: JSON.stringify({ x: 'x'.repeat(5 * 1024 * 1024) }) }).catch(() => 413)).toBe(413);
  }

  it('lets in other machines only with a key, or where anybody may come', async () => {
    const exposed = await cli(['mcp', ':1', '--http', '0', '--host', '0.0.0.0']);
    expect(exposed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--keys FILE') });
    const { folder, remove } = temporaryFolder();
    const made = await cli(['keys', 'create', 'ann', '--file', `${folder}/keys.json`, '--json']);
    const { key } = JSON.parse(made.stdout) as { key: string };
    const { running, found } = await launch('--host', '0.0.0.0', '--keys', `${folder}/keys.json`);
    const post = (headers: Record<string, string>) =>
      fetch(found, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
    expect((await post({})).status).toBe(401);
    expect((await post({ 'x-api-key': 'wrong' })).status).toBe(401);
    expect((await post({ 'x-api-key': key })).status).toBe(400);
    running.child.kill('SIGTERM');
    await running.ended;
    remove();
  });
});
