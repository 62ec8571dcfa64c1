import { mcpTools } from 'parley-a2a/mcp';
import { expect, it, onTestFinished } from 'vitest';
import { startScriptedServer } from './support/scripted-server.ts';

const ofProperty = (schema: object) => ({ type: 'object', properties: { a: schema } });

it.each<[string, object, object]>([
  // Each further letter doubles the time: 40 of them take hours.
  [
    'has a pattern that takes for ever',
    ofProperty({ type: 'string', pattern: '^(a+)+$' }),
    { a: `${'a'.repeat(24)}!` },
  ],
  ['cannot be compiled', ofProperty({ $ref: '#/nowhere' }), { a: 1 }],
])('a tool of an MCP server works although the schema of its results %s', async (_, outputSchema, result) => {
  const url = await startScriptedServer({
    'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' }, outputSchema }] },
    'tools/call': { content: [{ type: 'text', text: 'Seen' }], structuredContent: result },
  });
  const tools = await mcpTools({ url, protocol: '2025-11-25' });
  onTestFinished(() => tools.close());
  expect(await tools.look?.execute({})).toEqual({
    content: [{ type: 'text', text: 'Seen' }],
    structuredContent: result,
  });
});
