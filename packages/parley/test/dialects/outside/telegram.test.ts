import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { A2AClient, A2AServer, type A2AServerOptions, textOf } from 'parley-a2a';
import { A2AClient as SmallClient } from 'parley-a2a/client';
import type { DialectDefinition } from 'parley-a2a/dialects';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importsIn } from '../../setup/support/imports.ts';
import type { Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { telegram } from './telegram.ts';

const clerk = agentOf(
  async function* (task) {
    yield 'Received ';
    yield task.text;
  },
  { name: 'clerk' },
);

async function office(options: Partial<A2AServerOptions> = {}): Promise<{ server: A2AServer; url: string }> {
  const server = new A2AServer({ agents: [clerk], dialects: [telegram], ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return { server, url: server.url ?? '' };
}

async function post(url: string, method: string, params: object): Promise<Wire> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json', 'x-parley-debug': '1' };
  const response = await fetch(url, { method: 'POST', headers, body });
  return { ...((await response.json()) as Wire), spoken: response.headers.get('x-parley-dialect') };
}

it('is made of public names alone', () => {
  const source = readFileSync(join(import.meta.dirname, 'telegram.ts'), 'utf8');
  expect(importsIn(source).map(({ name }) => name)).toEqual(['parley-a2a', 'parley-a2a/dialects']);
});

describe('a server that is handed a dialect', () => {
  it('speaks it at its default mount, and recognises it elsewhere', async () => {
    const { url } = await office();
    const sent = { no: '1', words: 'ship arrived STOP send coal' };
    const answered = { talk: expect.any(String), words: 'Received ship arrived. send coal', mark: 'STOP' };
    const atMount = await post(`${url}/telegraph`, 'telegram.send', sent);
    expect(atMount.result).toEqual({ no: expect.any(String), ...answered });
    expect(atMount.spoken).toContain('telegram');
    const byMethod = await post(`${url}/a2a`, 'telegram.send', { ...sent, no: '2' });
    expect(byMethod.result).toEqual({ no: expect.any(String), ...answered });
    expect(byMethod.spoken).toBe('telegram; no A2A-Version, telegram methods');
    expect((await post(`${url}/a2a/agents/clerk`, 'telegram.read', { no: atMount.result.no })).result).toEqual(
      atMount.result,
    );
  });

  it('has its errors, and its card where it says', async () => {
    const { url } = await office();
    expect((await post(`${url}/telegraph`, 'telegram.read', { no: 'none' })).error.code).toBe(404);
    const card = { name: 'clerk', description: clerk.description, url: `${url}/telegraph`, telegraph: true };
    for (const path of ['/.well-known/telegraph.json', '/telegraph/.well-known/agent-card.json']) {
      expect(await (await fetch(`${url}${path}`)).json(), path).toEqual(card);
    }
  });

  it('answers it without HTTP too, and knows which of its methods stream', async () => {
    const { server } = await office();
    const sent = { jsonrpc: '2.0', id: 1, params: { no: '1', words: 'hello' } };
    const { result } = await server.handleJsonRpc({ ...sent, method: 'telegram.send' });
    expect(result).toMatchObject({ words: 'Received hello', mark: 'STOP' });
    const refused = await server.handleJsonRpc({ ...sent, method: 'telegram.follow' });
    expect(refused.error?.message).toContain('telegram.follow streams');
    const marks: unknown[] = [];
    for await (const telegram of server.handleJsonRpcStream({ ...sent, method: 'telegram.follow' })) {
      marks.push((telegram as Wire).mark);
    }
    expect([marks[0], marks.at(-1)]).toEqual(['MORE', 'STOP']);
  });

  it('may have it at mounts of its own, by its name', async () => {
    const { url } = await office({ mounts: [{ path: '/wire', dialect: 'telegram' }] });
    expect((await post(`${url}/wire`, 'telegram.send', { no: '1', words: 'hello' })).result.words).toBe(
      'Received hello',
    );
  });

  it('refuses a name that is taken, and a mount of one that there is not', () => {
    const twice = () => new A2AServer({ agents: [clerk], dialects: [telegram, telegram] });
    expect(twice).toThrow('Two dialects have the name "telegram"');
    const unknown = () => new A2AServer({ agents: [clerk], mounts: [{ path: '/wire', dialect: 'telegram' }] });
    expect(unknown).toThrow('There is no dialect "telegram". There are: 1.0, 0.3');
  });

  it.for<readonly [string, readonly unknown[], string]>([
    [
      'the bytes that readers share under the name of another one',
      [telegram, { ...telegram, name: 'telex' }],
      'The dialects "telegram" and "telex" have the same serving.name, "telegram"',
    ],
    [
      'the name of the built-in one that it is made of',
      [{ ...telegram, serving: { ...telegram.serving, name: 'v1_0' } }],
      'The dialects "telegram" and "1.0" have the same serving.name, "v1_0"',
    ],
    [
      'the mount of another one',
      [
        telegram,
        {
          ...telegram,
          name: 'telex',
          serving: {
            ...telegram.serving,
            name: 'telex',
            signs: undefined,
            addresses: {
              mounts: () => ['/telegraph/'],
            },
          },
        },
      ],
      'The dialects "telegram" and "telex" have the same mount, /telegraph',
    ],
    ['nothing', [undefined], 'dialects[0] must be a dialect of parley-a2a/dialects'],
    ['no half', [{ name: 'telex' }], 'The dialect "telex" needs serving or calling'],
    [
      'no methods',
      [{ name: 'telex', serving: { ...telegram.serving, name: 'telex', methods: undefined } }],
      'The dialect "telex" needs serving.methods: a Map',
    ],
    [
      'no reader of requests',
      [{ name: 'telex', serving: { ...telegram.serving, name: 'telex', decode: undefined } }],
      'The dialect "telex" needs serving.decode',
    ],
  ])('refuses a dialect with %s', ([, dialects, sentence]) => {
    expect(() => new A2AServer({ agents: [clerk], dialects: dialects as readonly DialectDefinition[] })).toThrow(
      sentence,
    );
  });
});

describe('a client that is handed the same dialect', () => {
  it('sends, streams and reads tasks in it, by name or by the card', async () => {
    const { url } = await office();
    for (const [Client, protocol] of [
      [A2AClient, 'telegram'],
      [A2AClient, undefined],
      [SmallClient, undefined],
    ] as const) {
      const client = await Client.connect(`${url}/telegraph`, { dialects: [telegram], protocol });
      expect(client.interface?.url).toBe(`${url}/telegraph`);
      expect(await client.run('ship arrived. send coal')).toBe('Received ship arrived. send coal');
      const streamed = await client.sendMessageStream('one. two').task;
      expect(textOf(streamed)).toBe('Received one. two');
      expect(textOf(await client.getTask(streamed.id))).toBe('Received one. two');
      await expect(client.getTask('none')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    }
  });

  it('shares its tasks with clients of the official versions', async () => {
    const { url } = await office();
    const client = new A2AClient(`${url}/telegraph`, { dialects: [telegram], protocol: 'telegram' });
    const { task } = client.sendMessageStream('hello');
    const official = new A2AClient(url, { prefer: { version: '1.0' } });
    expect(textOf(await official.getTask((await task).id))).toBe('Received hello');
  });
});
