// A server in a process of its own, for tests that kill it: node --conditions=parley-source crash-server.ts <file>
import { A2AServer } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { crashAgent } from './crash-agent.ts';

const server = new A2AServer({ agents: [crashAgent()], store: sqlite(process.argv[2] ?? '') });
await server.listen({ port: 0 });
console.log(server.url);
