import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { A2AClient } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { NextApp, type StartedApp } from './next-app.ts';

const CARD = '/.well-known/agent-card.json';
const CONFIG = sourceOf('next.config.ts');
const ROUTES = ['app/a2a/[[...path]]/route.ts', 'app/.well-known/[...path]/route.ts'];

// Linked as in this workspace, where Turbopack bundles the package instead of leaving it to Node.
describe('examples/next with a base path', () => {
  let app: NextApp;
  beforeAll(async () => {
    const config = CONFIG.replace('agentRules: false,', "agentRules: false,\n  basePath: '/site',");
    expect(config).not.toBe(CONFIG);
    app = await NextApp.create({ package: 'linked', files: { 'next.config.ts': config, ...routesBelow('/site') } });
  });
  afterAll(() => app?.remove());

  async function visit({ url }: StartedApp, publicUrl = `${url}/site`): Promise<void> {
    // Each of the routes and the page may be a copy of the server's module; all of them are one server on one file.
    const card: Wire = await (await fetch(`${url}/site${CARD}`)).json();
    expect(card.supportedInterfaces[0].url).toBe(`${publicUrl}/a2a`);
    const peer = new RpcPeer(fetch, `${url}/site/a2a`);
    const frames = await peer.stream('SendStreamingMessage', {
      message: { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'Lisbon' }] },
    });
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    const page = await (await fetch(`${url}/site`)).text();
    expect(/<h1>(.*?)<\/h1>/.exec(page)?.[1]).toBe('packer');
    expect(/<b>(.*?)<\/b>/.exec(page)?.[1]).toBe('Packing list');
    const { id } = frames[0]?.result.task ?? {};
    expect(await peer.call('GetTask', { id })).toMatchObject({ id });
  }

  it('works when it is built and started', async () => {
    await app.build();
    const publicUrl = 'https://agents.test/site';
    const started = await app.start('start', { PUBLIC_URL: publicUrl });
    try {
      await visit(started, publicUrl);
      // A proxy that leaves the path alone is all that is between a client and the app.
      const throughProxy: typeof fetch = (input, init) => {
        const request = new Request(input, init);
        return fetch(new Request(request.url.replace('https://agents.test', started.url), request));
      };
      const client = await A2AClient.connect(publicUrl, { fetch: throughProxy });
      expect(await client.run('Tromsø, cold')).toContain('gloves');
    } finally {
      await started.stop();
    }
  });

  it('works in development, where modules are loaded again and again', async () => {
    const started = await app.start('dev');
    try {
      await visit(started);
      await visit(started);
      expect(started.output()).not.toContain('[parley]');
    } finally {
      await started.stop();
    }
  });
});

function sourceOf(path: string): string {
  return readFileSync(join(ROOT, 'examples/next', path), 'utf8');
}

/** The routes of the example, told of a base path. */
function routesBelow(basePath: string): Record<string, string> {
  const told = (path: string) =>
    sourceOf(path).replace('a2aNext(server)', `a2aNext(server, { basePath: '${basePath}' })`);
  return Object.fromEntries(ROUTES.map((path) => [path, told(path)]));
}
