import type { Command } from '../command.ts';
import { CALL_OPTIONS } from '../options.ts';

export const mcp: Command = {
  name: 'mcp',
  parameters: 'URL…',
  summary: 'serves agents as tools of MCP, for editors and desktop clients',
  details:
    'Speaks MCP over stdin and stdout, so that a client can start it by itself; everything else goes to stderr. Each agent is ' +
    'a tool that takes messages, and each skill with a schema is a tool of its own. It needs the package ' +
    '@modelcontextprotocol/server beside this one.',
  words: [1, Number.POSITIVE_INFINITY],
  options: CALL_OPTIONS.filter((name) => name !== 'json'),
  examples: ['mcp localhost:4000', 'mcp localhost:4000/a2a/agents/lab https://agents.example.com'],

  async run(args, surroundings) {
    // Only who serves MCP needs the bridge.
    const { serveMcp } = await import('../mcp/serving.ts');
    return serveMcp(args, surroundings);
  },
};
