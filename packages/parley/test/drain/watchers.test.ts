import { A2AClient, A2AServer, defineAgent, memory } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';

/** Asks once, and says what it was told. */
const asker = defineAgent({
  name: 'asker',
  description: 'Asks',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    yield `It is ${await task.ask('Which one?')}`;
  },
});

/** Two nodes of one store; requests go to the first one that takes them. */
function nodes() {
  const [store, bus] = [memory({ shared: true }), localBus()];
  const serve = () => new A2AServer({ agents: [asker], store, bus, drainTimeout: 10, log: { error() {}, warn() {} } });
  const servers = [serve(), serve()];
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });
  const balanced: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    for (const server of servers) {
      const response = await server.fetch(request.clone());
      if (response.status !== 503) return response;
    }
    return new Response(null, { status: 503 });
  };
  return { balanced, stopFirst: () => servers[0]?.close() };
}

it.each([
  { version: '1.0', binding: 'JSONRPC' },
  { version: '1.0', binding: 'HTTP+JSON' },
  { version: '0.3', binding: 'JSONRPC' },
  { version: '0.3', binding: 'HTTP+JSON' },
] as const)('who watches a task that waits for its caller watches on when its node stops, in $version over $binding', async ({
  version,
  binding,
}) => {
  const { balanced, stopFirst } = nodes();
  const reconnect = { firstDelay: 1, longestDelay: 10 };
  const client = new A2AClient('http://agents.test', { fetch: balanced, reconnect, prefer: { version, binding } });
  const asking = await client.sendMessageStream('go').task;
  expect(asking.status.state).toBe('input-required');
  const states: string[] = [];
  const seen = Promise.withResolvers<void>();
  const watching = (async () => {
    for await (const event of client.subscribe(asking.id)) {
      seen.resolve();
      if (event.kind === 'status') states.push(event.status.state);
    }
  })();
  await seen.promise;
  await stopFirst();
  await client.sendMessageStream('the second', { taskId: asking.id }).task;
  await watching;
  expect(states.at(-1)).toBe('completed');
});
