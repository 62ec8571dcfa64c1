import { defineAgent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { worker } from './support/agents.ts';
import { bridgeTo, GENERATIONS } from './support/bridge.ts';
import { placesOf } from './support/served.ts';

describe.for(GENERATIONS)('calls by a client of %s', (generation) => {
  const { places } = placesOf();
  const bridge = bridgeTo(places);
  const call = async (name: string, args: Record<string, unknown>) => {
    const caller = await bridge.connect(generation);
    try {
      return await caller.callTool(name, args);
    } finally {
      await caller.close();
    }
  };

  it('get files, links and data', async () => {
    const { content, structuredContent } = await call('gallery', { message: 'show' });
    expect(structuredContent).toEqual({ pictures: 1 });
    expect(content.slice(0, 7)).toMatchObject([
      { type: 'text', text: 'Look: ' },
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      {
        type: 'resource',
        resource: { mimeType: 'text/csv', text: 'a;b', uri: expect.stringMatching(/\/table\.csv$/) },
      },
      {
        type: 'resource',
        resource: { mimeType: 'application/pdf', blob: '/wAB', uri: expect.stringMatching(/\/a%20b\.pdf$/) },
      },
      { type: 'resource_link', uri: 'https://files.example.net/x/report.pdf', name: 'report.pdf' },
      { type: 'text', text: '{"pictures":1}' },
    ]);
  });

  it('get the answer without the reasoning that led to it', async () => {
    const { content } = await call('talker', { message: 'think' });
    expect(content[0]).toMatchObject({ type: 'text', text: 'Yes' });
    expect(JSON.stringify(content)).not.toContain('wonder');
  });

  it('get failures as results with the reason, and nothing of the inside', async () => {
    const result = await call('talker', { message: 'fail' });
    expect(result).toMatchObject({ isError: true, _meta: { 'io.parley/a2a': { state: 'failed' } } });
    expect(JSON.stringify(result.content)).toMatch(/The task ended as failed: .*\(agent-error\)/);
    expect(JSON.stringify(result)).not.toContain('inner text');
  });

  it.for([
    ['shop_price', { item: 'a' }, /count/],
    ['talker', {}, /"message" is missing/],
    ['talker', { message: 7 }, /"message" must be a text/],
    ['talker', { message: 'x', skill: 'sing' }, /must be one of repeat, whisper/],
    ['talker', { message: 'x', more: 1 }, /There is no argument "more/],
    ['talker', { message: 'x', taskId: 'nobody' }, /not found|nobody/i],
  ] as const)('get what is wrong with the arguments of %s %j', async ([name, args, problem]) => {
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(problem) });
  });

  it('get an error of the protocol for a tool that is not there', async () => {
    await expect(call('nothing', {})).rejects.toThrow('Unknown tool: nothing');
  });

  it('are told of progress: statuses, and the text that has come', async () => {
    const caller = await bridge.connect(generation);
    const seen: { readonly progress: number; readonly message?: string }[] = [];
    await caller.callTool('talker', { message: 'a b c' }, { onprogress: (one) => seen.push(one as never) });
    expect(seen[0]).toMatchObject({ progress: 1, message: 'thinking' });
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1));
    await caller.close();
  });

  it('that are canceled cancel the task', async () => {
    const { agent, seen } = worker();
    const busy = placesOf([agent]);
    const other = bridgeTo(busy.places);
    const caller = await other.connect(generation);
    const stop = new AbortController();
    const calling = caller.callTool('worker', { message: 'go' }, { signal: stop.signal });
    await expect.poll(() => seen.length).toBe(1);
    stop.abort();
    await expect(calling).rejects.toThrow();
    const id = seen[0]?.split(' ')[1] ?? '';
    const stateOf = async () => (await busy.places[0]?.client.getTask(id))?.status.state;
    await expect.poll(stateOf).toBe('canceled');
    await other.cancellations.settled();
    await caller.close();
  });
});

describe('clients of versions before 2025-06-18', () => {
  const bridge = bridgeTo(placesOf().places);

  async function kindsFor(protocolVersion: string) {
    const transport = bridge.open();
    const result = Promise.withResolvers<{ readonly content: readonly { readonly type: string }[] }>();
    transport.onmessage = (message) => {
      if ('result' in message && message.id === 2) result.resolve(message.result as never);
    };
    await transport.start();
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const call = { name: 'gallery', arguments: { message: 'show' } };
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
    const { content } = await result.promise;
    await transport.close();
    return content.slice(0, 7).map((block) => ('text' in block ? block.text : block.type));
  }

  it('get audio as a resource and links as text, which their content has', async () => {
    const link = 'report.pdf: https://files.example.net/x/report.pdf';
    const data = '{"pictures":1}';
    expect(await kindsFor('2024-11-05')).toEqual(['Look: ', 'image', 'resource', 'resource', 'resource', link, data]);
    expect(await kindsFor('2025-03-26')).toEqual(['Look: ', 'image', 'audio', 'resource', 'resource', link, data]);
    expect(await kindsFor('2025-06-18')).toContain('resource_link');
  });
});

describe('agents that come and change', () => {
  const named = (name: string) => defineAgent({ name, description: name, version: '1', run: () => name });

  it('with the same name are kept apart', async () => {
    const places = [...placesOf([named('twin')]).places, ...placesOf([named('twin')]).places];
    const bridge = bridgeTo(places.map((place, index) => ({ ...place, url: `${place.url}?${index}` })));
    await bridge.roster.look();
    expect([...bridge.roster.tools.keys()]).toEqual(['twin', 'twin_2']);
  });

  it('that are down at first are there when they are up', async () => {
    const { places } = placesOf([named('late')]);
    const [place] = places;
    let isUp = false;
    const client = new Proxy(place?.client as object, {
      get: (target, name) => {
        if (name === 'agentCard' && !isUp) return () => Promise.reject(new Error('down'));
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const bridge = bridgeTo([{ url: 'http://late.example', client: client as never }]);
    const caller = await bridge.connect('2025-11-25');
    expect(await caller.listTools()).toEqual([]);
    await expect(caller.callTool('late', {})).rejects.toThrow(
      'Unknown tool: late. Agents that could not be reached: http://late.example',
    );
    let changes = 0;
    bridge.roster.onChange(() => {
      changes += 1;
    });
    isUp = true;
    expect((await caller.listTools()).map(({ name }) => name)).toEqual(['late']);
    expect(changes).toBe(1);
    expect(bridge.news.map(({ kind }) => kind)).toEqual(['lost', 'found']);
    await caller.close();
  });
});
