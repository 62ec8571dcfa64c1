import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../setup/support/documents.ts';
import { startProgram } from '../setup/support/programs.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';

const AGENT = "import { reporter } from './agents/index.ts';\n";
/** What runtimes do with a default export. */
const SERVE = "\nimport { webServer } from '../packages/parley/test/adapters/support/web-bridge.ts';\nwebServer";

const blocks = blocksOf('docs/hosting.md', 'ts').filter((block) =>
  /a2a(Express|Hono|Fastify|Koa|Node|Fetch)|Elysia/.test(block),
);

function entryOf(block: string): string | undefined {
  return /parley-a2a\/(\w+)|from '(elysia)'/.exec(block)?.slice(1).find(Boolean);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The block as a program that listens at the port. */
function programOf(block: string, port: number): string {
  const listening = block.replaceAll('4000', String(port));
  const exported = listening.replace('export default ', 'const exported = ');
  if (exported === listening) return AGENT + listening;
  return `${AGENT}${exported}${SERVE}((request) => exported.fetch(request)).listen(${port});\n`;
}

describe('the document on hosting', () => {
  it('has an example for each adapter', () => {
    expect(blocks.map(entryOf)).toEqual(['express', 'hono', 'fastify', 'koa', 'elysia', 'node', 'fetch']);
  });

  it.each(blocks.map((block) => ({ block, entry: entryOf(block) })))('has one that works: $entry', async ({
    block,
  }) => {
    const port = await freePort();
    const { child } = startProgram(programOf(block, port));
    const prefix = block.replaceAll(/\/\/ .*/g, '').includes("prefix: '/agents'") ? '/agents' : '';
    const base = `http://localhost:${port}${prefix}`;
    const cardOf = async (): Promise<Wire> => {
      if (child.exitCode !== null) throw new Error('The program has ended');
      return fetch(`${base}/.well-known/agent-card.json`).then((response) => response.json());
    };
    await eventually(() => cardOf().catch(() => undefined)).toMatchObject({ name: 'reporter', url: `${base}/a2a` });
    const peer = new RpcPeer((request) => fetch(request), `${base}/a2a`);
    expect((await peer.error('GetTask', { id: 'unknown' })).code).toBe(-32001);
  });
});
