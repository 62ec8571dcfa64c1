import { A2AClient as RootClient } from 'parley-a2a';
import { A2AClient } from 'parley-a2a/client';
import { type DialectDefinition, jaf, rxjs } from 'parley-a2a/dialects';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const URL_OF_AGENT = 'http://localhost';

function started() {
  const { server } = startServer(
    agentOf(async function* (task) {
      yield 'Hello, ';
      yield task.text;
    }),
  );
  const bodies: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (typeof init?.body === 'string') bodies.push(init.body);
    return server.fetch(new Request(input, init));
  };
  return { fetch, bodies };
}

describe('the client of parley-a2a/client', () => {
  it.for(['1.0', '0.3'] as const)('speaks %s by itself', async (version) => {
    const { fetch } = started();
    const client = new A2AClient(URL_OF_AGENT, { fetch, prefer: { version } });
    expect(await client.run('world')).toBe('Hello, world');
  });

  it('speaks no informal dialect that it was not handed, and says how to hand one', () => {
    const problem = /no protocol "jaf".*1\.0, 0\.3; others are handed to the client in dialects/;
    expect(() => new A2AClient(URL_OF_AGENT, { protocol: 'jaf' })).toThrow(problem);
  });

  it('speaks the dialects that it is handed, and their variants', async () => {
    for (const protocol of ['jaf', 'rxjs', 'rxjs-older']) {
      const { fetch, bodies } = started();
      const client = new A2AClient(URL_OF_AGENT, { fetch, dialects: [jaf, rxjs], protocol });
      expect(await client.run('world')).toBe('Hello, world');
      // A method of 1.0.
      expect(bodies.join()).not.toContain('SendStreamingMessage');
      expect(client.interface?.protocolVersion).not.toBe('1.0');
    }
  });

  it('recognises a card of a dialect that it is handed', () => {
    const card = {
      name: 'Tutor',
      description: 'Teaches',
      url: `${URL_OF_AGENT}/a2a`,
      version: '1.0.0',
      inputModes: ['text/plain'],
      capabilities: { contextAccumulation: true },
      skills: [],
    };
    const calledWith = (dialects: readonly DialectDefinition[]) => new A2AClient(card, { dialects }).interface;
    expect(calledWith([jaf])).toMatchObject({ protocolBinding: 'JSONRPC', protocolVersion: jaf.calling?.version });
    expect(new RootClient(card).interface).toEqual(calledWith([jaf]));
  });

  it('hands its dialects on to the clients of other agents', async () => {
    const { fetch } = started();
    const other = new A2AClient('https://elsewhere.example', { fetch, dialects: [jaf] }).at(URL_OF_AGENT);
    expect(await other.run('world')).toBe('Hello, world');
    expect(other).not.toBeInstanceOf(RootClient);
  });
});

describe('the client of parley-a2a', () => {
  it('is one of parley-a2a/client, with every dialect', async () => {
    const { fetch } = started();
    const client = new RootClient(URL_OF_AGENT, { fetch, protocol: 'jaf' });
    expect(client).toBeInstanceOf(A2AClient);
    expect(client.at(URL_OF_AGENT)).toBeInstanceOf(RootClient);
    expect(await RootClient.connect(URL_OF_AGENT, { fetch })).toBeInstanceOf(RootClient);
    expect(await client.run('world')).toBe('Hello, world');
  });

  it('prefers a dialect that it is handed to its own of the same name', () => {
    const mine: DialectDefinition = { ...jaf, calling: jaf.calling && { ...jaf.calling, version: '7.7' } };
    const card = { name: 'Tutor', url: `${URL_OF_AGENT}/a2a`, skills: [] };
    const client = new RootClient(card, { protocol: 'jaf', dialects: [mine] });
    expect(client.interface?.protocolVersion).toBe('7.7');
  });
});
