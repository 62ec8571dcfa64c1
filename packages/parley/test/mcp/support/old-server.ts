// A server of 2025-11-25, with the SDK of that generation, over stdin and stdout.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { registerTools } from './server-tools.ts';

const server = new McpServer({ name: 'old', version: '1.0.0' });
registerTools(server as never);
await server.connect(new StdioServerTransport());
