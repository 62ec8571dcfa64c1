import { describe, expect, it } from 'vitest';
import { bridgeTo, GENERATIONS } from './support/bridge.ts';
import { placesOf } from './support/served.ts';

describe.for(GENERATIONS)('agents as tools for a client of %s', (generation) => {
  const { places } = placesOf();
  const bridge = bridgeTo(places);

  it('are listed, with the skills that have schemas', async () => {
    const caller = await bridge.connect(generation);
    const tools = await caller.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['talker', 'shop', 'shop_price', 'asker', 'gallery']);
    const [talker, , price] = tools;
    expect(talker?.inputSchema).toMatchObject({ required: ['message'] });
    expect(Object.keys(talker?.inputSchema.properties ?? {})).toEqual(['message', 'contextId', 'taskId', 'skill']);
    expect(talker?.description).toContain('- repeat: Says it again For example: Hello');
    expect(price).toMatchObject({
      title: 'Price',
      inputSchema: { type: 'object', required: ['item', 'count'] },
      outputSchema: { type: 'object', required: ['total'] },
    });
    await caller.close();
  });

  it('answer with their text, and the conversation goes on', async () => {
    const caller = await bridge.connect(generation);
    const { content, isError, _meta } = await caller.callTool('talker', { message: 'one two' });
    expect(isError ?? false).toBe(false);
    expect(content[0]).toEqual({ type: 'text', text: 'one two' });
    expect(_meta?.['io.parley/a2a']).toMatchObject({ state: 'completed' });
    const contextId = (_meta?.['io.parley/a2a'] as { readonly contextId?: string } | undefined)?.contextId ?? '';
    expect(content.at(-1)).toMatchObject({ type: 'text', text: expect.stringContaining(contextId) });
    const again = await caller.callTool('talker', { message: 'three', contextId });
    expect(again._meta?.['io.parley/a2a']).toMatchObject({ contextId });
    await caller.close();
  });

  it('give data as structured content', async () => {
    const caller = await bridge.connect(generation);
    await caller.listTools();
    const result = await caller.callTool('shop_price', { item: 'apple', count: 2 });
    expect(result).toMatchObject({ structuredContent: { total: 6 }, content: [{ type: 'text', text: '{"total":6}' }] });
    await caller.close();
  });
});
