// A server in a process of its own, for a test that kills it: node --conditions=parley-source push-server.ts <file>
import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

/** Writes slowly enough to be killed between two pieces; after a crash it goes on. */
const writer = defineAgent({
  name: 'writer',
  description: 'Writes pieces',
  version: '1.0.0',
  resumable: true,
  async run(task) {
    for (let piece = 0; piece < 40; piece += 1) {
      await task.step(`piece ${piece}`, () => new Promise<string>((resolve) => setTimeout(resolve, 5, 'written')));
      const artifact = task.artifact({ artifactId: `piece-${piece}` });
      await artifact.end(`piece ${piece}`);
    }
  },
});

const server = new A2AServer({
  agents: [writer],
  store: sqlite(process.argv[2] ?? ''),
  push: { retry: { firstDelay: 5, longestDelay: 50, pauseAfter: 1_000 } },
  log: { error: () => {}, warn: () => {} },
});
await server.listen({ port: 0 });
console.log(server.url);
