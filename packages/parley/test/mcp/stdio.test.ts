import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { A2AServer } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, NODE_ARGUMENTS, start } from '../cli/support/child.ts';
import { documentServer, unusedUrl } from '../cli/support/elsewhere.ts';
import { cli } from '../cli/support/in-process.ts';
import { ROOT, shellEnvironment } from '../setup/support/repository.ts';
import { AGENTS, worker } from './support/agents.ts';
import { newCaller, oldCaller } from './support/bridge.ts';

const { agent: busy, seen } = worker();
const server = new A2AServer({ agents: [...AGENTS, busy] });
let at: (name: string) => string;

beforeAll(async () => {
  await server.listen({ port: 0 });
  at = (name) => `${server.url}/a2a/agents/${name}`;
});
afterAll(() => server.close());

/** `line`: what the worker has noted of the task. */
async function stateOf(line = ''): Promise<string> {
  const url = `${at('worker')}/tasks/${line.split(' ')[1]}`;
  const response = await fetch(url, { headers: { 'a2a-version': '1.0' } });
  const { status } = (await response.json()) as { readonly status: { readonly state: string } };
  return status.state;
}

/** A process that has ended and that nobody has asked for is still in the list, as a zombie. */
function isAlive(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('parley mcp over stdio', () => {
  const parameters = (...urls: readonly string[]) => ({
    command: process.execPath,
    args: [...NODE_ARGUMENTS, 'mcp', ...urls],
    cwd: ROOT,
    env: shellEnvironment() as Record<string, string>,
    stderr: 'pipe' as const,
  });

  it.for(['2026-07-28', '2025-11-25'] as const)('serves the client of %s', async (generation) => {
    const urls = [at('talker'), 'http://127.0.0.1:1/', at('shop')];
    const isOld = generation === '2025-11-25';
    const transport = isOld ? new OldStdio(parameters(...urls)) : new NewStdio(parameters(...urls));
    const stderr = text(transport.stderr as never);
    const caller = isOld ? await oldCaller(transport as OldStdio) : await newCaller(transport as NewStdio);
    expect((await caller.listTools()).map(({ name }) => name)).toEqual(['talker', 'shop', 'shop_price']);
    expect(await caller.callTool('shop_price', { item: 'a', count: 1 })).toMatchObject({
      structuredContent: { total: 3 },
    });
    await caller.close();
    const lines = await stderr;
    expect(lines).toContain(`talker at ${at('talker')}: 1 tool`);
    expect(lines).toContain('Cannot reach http://127.0.0.1:1/');
  });

  it('ends when its client does, and cancels what it had begun', async () => {
    const { child, ended, output } = start(['mcp', at('worker')]);
    const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'worker', arguments: { message: 'go' } } });
    await expect.poll(() => seen.length).toBe(1);
    child.stdin?.end();
    const { code } = await ended;
    expect(code).toBe(0);
    for (const line of output.stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(await stateOf(seen.at(-1))).toBe('TASK_STATE_CANCELED');
  });

  it('ends when its client is killed, and cancels what that had begun', async () => {
    const before = seen.length;
    const script = join(import.meta.dirname, 'support/killed-client.ts');
    const client = launch(process.execPath, [script, process.execPath, ...NODE_ARGUMENTS, 'mcp', at('worker')]);
    const pid = await client.until((stdout) => /^\d+$/m.exec(stdout)?.[0], 'the process of the bridge');
    await expect.poll(() => seen.length).toBe(before + 1);
    client.child.kill('SIGKILL');
    await expect.poll(() => stateOf(seen.at(-1))).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('says of an agent that is not there that it looks again, in whole sentences', async () => {
    const alone = start(['mcp', await unusedUrl()]);
    await expect.poll(() => alone.output.stderr).toMatch(/address right\? It is looked for again\.\n$/);
    const mute = await documentServer({ name: 'mute', description: 'Has no address', version: '1', skills: [] });
    const several = start(['mcp', mute, await unusedUrl()]);
    await expect
      .poll(() => several.output.stderr)
      .toMatch(/\. It is looked for again; the other agents are served\.\n/);
  });

  it.for([
    [[], 'mcp needs URL…'],
    [['not an address:'], '"http://not an address:" is not an address'],
    [[':1', '--http', 'x'], '--http must be a whole number, from 0 to 65535'],
    [[':1', '--open'], '--host, --keys and --open are for --http PORT'],
  ] as const)('refuses the command line %j', async ([args, problem]) => {
    const { code, stdout, stderr } = await cli(['mcp', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });
});
