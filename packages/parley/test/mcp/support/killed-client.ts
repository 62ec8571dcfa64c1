// A client that starts a bridge, calls a tool that never ends and tells the bridge's process, to be killed then.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command = '', ...args] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args, stderr: 'ignore' });
const client = new Client({ name: 'test', version: '1' });
await client.connect(transport);
console.log(transport.pid);
await client.callTool({ name: 'worker', arguments: { message: 'go' } }, { onprogress: () => {} });
