// The server that is attacked: node --conditions=parley-source --expose-gc server-process.ts STORE FILE
import { A2AServer, defineAgent, inputRequired, memory } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { SPEAKERS_MOUNTS } from '../support/speakers.ts';

const [store, file = ''] = process.argv.slice(2);
const MEGABYTE = 'x'.repeat(1024 * 1024);
/** Often enough to see a peak that lasts. */
const LOOK_MS = 20;

const agent = defineAgent({
  name: 'attacked',
  description: 'Does what the text says: "megabytes N", "chunks N", "ask", or nothing',
  version: '1.0.0',
  inputModes: ['*/*'],
  async *run(task) {
    const [word, number] = task.text.split(' ');
    if (word === 'megabytes') for (let count = Number(number); count > 0; count -= 1) yield MEGABYTE;
    if (word === 'chunks') for (let count = Number(number); count > 0; count -= 1) yield `word ${count} `;
    return word === 'ask' ? inputRequired('Which one?') : undefined;
  },
});

const server = new A2AServer({
  agents: [agent],
  store: store === 'sqlite' ? sqlite(file, { synchronous: 'off' }) : memory(),
  mounts: SPEAKERS_MOUNTS,
  limits: { stallTimeout: 2_000 },
  push: { resolve: () => [] },
  grpc: { port: 0 },
  log: { error: (text) => void process.send?.({ logged: text }), warn() {} },
});

let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, LOOK_MS).unref();

/** `measure` begins anew; both answer with the peak since the last time. */
process.on('message', (question: 'measure' | 'report') => {
  if (question === 'measure') {
    globalThis.gc?.();
    peak = process.memoryUsage.rss();
  }
  process.send?.({ peak: Math.max(peak, process.memoryUsage.rss()), held: process.memoryUsage().heapUsed });
});
process.on('disconnect', () => process.exit());
await server.listen({ port: 0 });
process.send?.({ url: server.url, grpcAddress: server.grpcAddress });
