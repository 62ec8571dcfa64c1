import { A2AClient, A2AServer, type Agent, type AgentDefinition, defineAgent, textOf } from 'parley-a2a';
import { A2AClient as PlainClient } from 'parley-a2a/client';
import { expect, it, onTestFinished } from 'vitest';
import { textOfTask } from '../../support/frames.ts';
import { RpcPeer } from '../../support/rpc.ts';

function agent(name: string, run: AgentDefinition['run']): Agent {
  return defineAgent({ name, description: `The ${name}`, version: '1.0.0', run });
}

function start(...agents: readonly Agent[]): A2AServer {
  const server = new A2AServer({ agents });
  onTestFinished(() => server.close());
  return server;
}

/** The class of another copy of the package: `instanceof` knows nothing of it. */
async function otherCopy(): Promise<typeof PlainClient> {
  const path = '../../../src/client/client.ts?other';
  return ((await import(path)) as { A2AClient: typeof PlainClient }).A2AClient;
}

it.each([
  ['this copy of the package', async () => A2AClient],
  ['parley-a2a/client', async () => PlainClient],
  ['another copy', otherCopy],
])('a client of %s is a target of calls', async (_, find) => {
  const child = agent('child', async function* (task) {
    yield `heard ${task.text}`;
    yield ' well';
  });
  const other = start(child);
  const Client = await find();
  const fetch: typeof globalThis.fetch = (input, init) => other.fetch(new Request(input, init));
  const client = await Client.connect('http://calls.test', { fetch });
  const parent = agent('parent', async (task) => textOf(await task.call(client, 'this')));
  const peer = new RpcPeer(start(parent).fetch, 'http://calls.test/a2a');
  expect(textOfTask(await peer.send('go'))).toBe('heard this well');
  if (find === otherCopy) expect(client).not.toBeInstanceOf(PlainClient);
});

it.each([
  [undefined, 'not undefined: modules that import each other in a circle find nothing'],
  [null, 'not null'],
  [5, 'not 5'],
  [[], 'not an empty list'],
  [() => 'hi', 'not a function'],
  [{}, 'This is not an agent card'],
])('what a call can be for is said where it is for %o', async (target, problem) => {
  const parent = agent('parent', async (task) =>
    task.call(target as never, 'go').then(
      () => 'went through',
      (error: Error) => error.message,
    ),
  );
  const text = textOfTask(await new RpcPeer(start(parent).fetch, 'http://calls.test/a2a').send('go'));
  expect(text).toContain(problem);
  if (target === undefined) {
    expect(text).toMatch(/^task\.call takes an agent of this server, an address, a card or a client, not undefined/);
  }
});
