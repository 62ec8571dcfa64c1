import { A2AClient, type A2AServerOptions, type ClientOptions, isTask } from 'parley-a2a';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { fetchOfPage } from '../support/browser.ts';
import { settableTiming } from '../support/settable-timing.ts';

const PAGE = 'https://app.example.com';
const agent = () =>
  agentOf(async function* (task) {
    yield 'Hello, ';
    yield task.text;
  });

/** A client in a page, and what it and its browser have asked the server. */
function inPage(settings: Partial<A2AServerOptions>, options: ClientOptions = {}) {
  const { server } = startServer(agent(), settings);
  const sent: Request[] = [];
  const fetch = fetchOfPage(PAGE, (request) => {
    sent.push(request);
    return server.fetch(request);
  });
  return {
    sent,
    client: new A2AClient('http://agents.example', { fetch, retry: false, reconnect: false, ...options }),
  };
}

describe('a client in a page of another origin', () => {
  const ways = (['1.0', '0.3'] as const).flatMap((version) =>
    (['JSONRPC', 'HTTP+JSON'] as const).map((binding) => ({ version, binding })),
  );

  it.for(ways)('can make every call where the server has cors: $version, $binding', async (prefer) => {
    const auth = { type: 'bearer', validate: (token: string) => token === 'secret' } as const;
    const { client } = inPage({ cors: PAGE, auth }, { prefer, credentials: { bearer: 'secret' } });
    expect(await client.run('world')).toBe('Hello, world');
    const sent = await client.sendMessage('again', { idempotencyKey: 'k', extensions: ['urn:other'] });
    if (!isTask(sent)) throw new Error('A message');
    expect((await client.getTask(sent.id)).status.state).toBe('completed');
    const replay = client.subscribe(sent.id, { lastEventId: 0 });
    expect((await replay.task).status.state).toBe('completed');
    await expect(client.cancelTask(sent.id)).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    // One that is gone is as good as deleted.
    await client.deletePushConfig(sent.id, 'none');
  });

  it('is told that it is not let in', async () => {
    const { client } = inPage({ cors: PAGE, auth: { type: 'bearer', validate: () => false } });
    await expect(client.getTask('t')).rejects.toMatchObject({ code: 'UNAUTHENTICATED', httpStatus: 401 });
  });

  it('sees that a card has not changed', async () => {
    const timing = settableTiming();
    const { client, sent } = inPage({ cors: true }, { timing });
    await client.agentCard();
    timing.time += 3_600_000;
    await client.agentCard();
    expect(sent.at(-1)?.headers.get('if-none-match')).toMatch(/^"/);
  });

  it('is told of CORS where the server has none', async () => {
    vi.stubGlobal('location', { origin: PAGE });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { client } = inPage({});
    await expect(client.agentCard()).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining(`must allow ${PAGE} by CORS`),
    });
  });
});
