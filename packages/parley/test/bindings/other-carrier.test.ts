import { A2AClient, A2AError, type ClientOptions } from 'parley-a2a';
import type { BindingCaller, ClientBinding } from 'parley-a2a/ports';
import { describe, expect, it } from 'vitest';

const NAME = 'https://parley.example/bindings/pigeons/v1';
const TASK = { id: 't-1', contextId: 'c-1', status: { state: 'completed' as const }, artifacts: [], history: [] };

interface Seen {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A binding that is not carried by `fetch`; `seen` is what would have gone out. */
function pigeons(seen: Seen[], more: Partial<ClientBinding> = {}): ClientBinding {
  return {
    protocolBinding: NAME,
    addressOf: (url) => (/^[\w.]+:\d+$/.test(url) ? `http://${url}` : undefined),
    fetch: async (input, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      seen.push({ url: input instanceof Request ? input.url : input.toString(), headers });
      return new Response(null, { status: headers.authorization === 'Bearer old' ? 401 : 200 });
    },
    open: ({ url, fetch }): BindingCaller => ({
      async unary(_operation, _input, { headers }) {
        const { status } = await fetch(url, { method: 'POST', headers });
        if (status !== 200) throw new A2AError('UNAUTHENTICATED', 'Who is there?');
        return TASK as never;
      },
      stream: () => Promise.reject(new A2AError('UNSUPPORTED_OPERATION', 'Pigeons do not stream')),
    }),
    ...more,
  };
}

type NamedAddress = readonly [name: string, url: string];

function cardWith(interfaces: readonly NamedAddress[]) {
  return {
    name: 'loft',
    supportedInterfaces: interfaces.map(([protocolBinding, url]) => ({ protocolBinding, url, protocolVersion: '1.0' })),
    capabilities: {},
    securitySchemes: { key: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { key: {} } }],
    skills: [],
  };
}

/** A client of an agent at http://agent.example, whose card has these interfaces. */
async function connect(interfaces: readonly NamedAddress[], options: ClientOptions): Promise<A2AClient> {
  const fetchCard: typeof fetch = async () => Response.json(cardWith(interfaces));
  return A2AClient.connect('http://agent.example', { fetch: fetchCard, ...options });
}

describe('a binding that fetch does not carry', () => {
  it('is called at the address that stands for that of the card', async () => {
    const seen: Seen[] = [];
    const agent = await connect([[NAME, 'loft.example:77']], { bindings: [pigeons(seen)] });
    expect(agent.interface?.url).toBe('http://loft.example:77');
    expect(await agent.getTask('t-1')).toEqual(TASK);
    expect(seen.map(({ url }) => url)).toEqual(['http://loft.example:77/']);
  });

  it('is not called at what is none of its addresses', async () => {
    const options = { bindings: [pigeons([])] };
    await expect(connect([[NAME, 'over the hills']], options)).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
  });

  it('as a last resort is used where it is asked for, or where the card has nothing else', async () => {
    const bindings = [pigeons([], { isLastResort: true })];
    const both: readonly [NamedAddress, NamedAddress] = [
      [NAME, 'loft.example:77'],
      ['JSONRPC', 'http://agent.example/rpc'],
    ];
    expect((await connect(both, { bindings })).interface?.protocolBinding).toBe('JSONRPC');
    expect((await connect([both[0]], { bindings })).interface?.protocolBinding).toBe(NAME);
    const told = await connect(both, { bindings, prefer: { binding: NAME } });
    expect(told.interface?.protocolBinding).toBe(NAME);
    const plain = await connect(both, { bindings: [pigeons([])] });
    expect(plain.interface?.protocolBinding).toBe(NAME);
  });

  it('sees headers and credentials only where it says that its address may', async () => {
    const seen: Seen[] = [];
    const options = { headers: { 'x-own': 'mine' }, credentials: { key: 'secret' } };
    const stranger = await connect([[NAME, 'agent.example:77']], { ...options, bindings: [pigeons(seen)] });
    await stranger.getTask('t-1');
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(seen[0]?.headers['x-own']).toBeUndefined();
    const isTrusted = ({ hostname }: URL, origin: string) => hostname === new URL(origin).hostname;
    const bindings = [pigeons(seen, { isTrusted })];
    const friend = await connect([[NAME, 'agent.example:77']], { ...options, bindings });
    await friend.getTask('t-1');
    expect(seen[1]?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-own': 'mine' });
    const other = await connect([[NAME, 'elsewhere.example:77']], { ...options, bindings });
    await other.getTask('t-1');
    expect(seen[2]?.headers.authorization).toBeUndefined();
  });

  it('is asked again with another credential, as any other is', async () => {
    const seen: Seen[] = [];
    const bindings = [pigeons(seen, { isTrusted: () => true })];
    const credentials: ClientOptions['credentials'] = ({ refused }) => (refused === 'old' ? 'new' : 'old');
    const agent = await connect([[NAME, 'agent.example:77']], { bindings, credentials });
    expect(await agent.getTask('t-1')).toEqual(TASK);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });
});
