import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { A2AClient } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { NextApp, type StartedApp } from './next-app.ts';

const SLOW = 180_000;
const CARD = '/.well-known/agent-card.json';
const CONFIG = readFileSync(join(ROOT, 'examples/next/next.config.ts'), 'utf8');

// Linked as in this workspace, where Turbopack bundles the package instead of leaving it to Node.
describe('examples/next with a base path', () => {
  let app: NextApp;
  beforeAll(async () => {
    const config = CONFIG.replace('agentRules: false,', "agentRules: false,\n  basePath: '/site',");
    expect(config).not.toBe(CONFIG);
    app = await NextApp.create({ package: 'linked', files: { 'next.config.ts': config } });
  }, SLOW);
  afterAll(() => app?.remove());

  async function visit({ url }: StartedApp): Promise<void> {
    // Each of the routes and the page may be a copy of the server's module; all of them are one server on one file.
    const card: Wire = await (await fetch(`${url}/site${CARD}`)).json();
    expect(card.supportedInterfaces[0].url).toBe('https://agents.test/site/a2a');
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

  const VARIABLES = { PUBLIC_URL: 'https://agents.test/site' };

  it('works when it is built and started', { timeout: SLOW }, async () => {
    await app.build();
    const started = await app.start('start', VARIABLES);
    try {
      await visit(started);
      // A proxy that leaves the path alone is all that is between a client and the app.
      const throughProxy: typeof fetch = (input, init) => {
        const request = new Request(input, init);
        return fetch(new Request(request.url.replace('https://agents.test', started.url), request));
      };
      const client = await A2AClient.connect('https://agents.test/site', { fetch: throughProxy });
      expect(await client.run('Tromsø, cold')).toContain('gloves');
    } finally {
      await started.stop();
    }
  });

  it('works in development, where modules are loaded again and again', { timeout: SLOW }, async () => {
    const started = await app.start('dev', VARIABLES);
    try {
      await visit(started);
      await visit(started);
      expect(started.output()).not.toContain('[parley]');
    } finally {
      await started.stop();
    }
  });
});
