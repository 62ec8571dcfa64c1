// A server of 2026-07-28 alone, with the SDK of that generation, over stdin and stdout.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { registerTools } from './server-tools.ts';

serveStdio(
  () => {
    const server = new McpServer({ name: 'new', version: '1.0.0' });
    registerTools(server as never);
    return server;
  },
  { legacy: 'reject' },
);
