import type { Command } from '../../command.ts';
import { CALL_OPTIONS, wholeNumber } from '../../options.ts';
import { UsageError } from '../../usage-error.ts';

export const mcp: Command = {
  name: 'mcp',
  parameters: 'URL…',
  summary: 'serve agents as MCP tools, for editors and desktop clients',
  details:
    'Speaks MCP over stdin and stdout, so that an MCP client can start it; everything else goes to stderr. Each ' +
    'agent becomes a tool that takes messages, and each skill with a schema becomes a tool of its own. With ' +
    '--http it serves /mcp on that port instead and prints the address; other machines (--host) need --keys or ' +
    '--open. Needs the package @modelcontextprotocol/server beside this one.',
  words: [1, Number.POSITIVE_INFINITY],
  options: ['http', 'host', 'keys', 'open', ...CALL_OPTIONS.filter((name) => name !== 'json')],
  examples: [
    'mcp localhost:4000',
    'mcp localhost:4000/a2a/agents/lab https://agents.example.com',
    'mcp localhost:4000 --http 4100',
  ],

  async run(args, surroundings) {
    const { http, host, keys, open } = args.options;
    if (http === undefined && (host ?? keys ?? open) !== undefined) {
      throw new UsageError('--host, --keys and --open are for --http PORT');
    }
    if (http !== undefined) wholeNumber('http', http, 0, 65_535);
    // Only who serves MCP needs the bridge.
    const { serveMcp } = await import('../../mcp/serving.ts');
    return serveMcp(args, surroundings);
  },
};
