// An MCP server with one tool, over stdin and stdout: `node examples/mcp/clock.ts`.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'clock', version: '1.0.0' });
  server.registerTool(
    'weekday',
    { description: 'The weekday of a date', inputSchema: z.object({ date: z.iso.date() }) },
    ({ date }) => {
      const weekday = new Date(date).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
      return { content: [{ type: 'text', text: weekday }] };
    },
  );
  return server;
});
