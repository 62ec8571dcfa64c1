// A server that is going to be killed. It loads everything, and opens the file that it reads from its input:
// node --conditions=parley-source server-process.ts
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { A2AServer } from 'parley-a2a';
import { StoreError, sqlite } from 'parley-a2a/sqlite';
import { writeComplaint } from '../check/complaints.ts';
import { scriptAgent } from './script-agent.ts';

const lines = createInterface({ input: process.stdin });
// Nothing is left over if whoever started it is gone.
lines.once('close', () => process.exit());
// One that is killed would not do it at its end.
flushCompileCache();
console.log('loaded');
const [file] = await once(lines, 'line');
const log = { warn: writeComplaint, error: writeComplaint };
const server = new A2AServer({ agents: [scriptAgent()], store: sqlite(file), log });
try {
  await server.listen({ port: 0 });
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  console.error(error.message);
  process.exit(1);
}
console.log(server.url);
