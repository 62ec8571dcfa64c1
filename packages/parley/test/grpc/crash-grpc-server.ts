// A server with gRPC in a process of its own, for the test that kills it: node --conditions=parley-source crash-grpc-server.ts <file>
import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

const counter = defineAgent({
  name: 'counter',
  description: 'Counts, a step at a time',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    for (let index = 0; index < 40; index += 1) {
      const number = await task.step(`step ${index}`, async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        return index;
      });
      yield `${number} `;
    }
  },
});

const server = new A2AServer({ agents: [counter], store: sqlite(process.argv[2] ?? ''), grpc: { port: 0 } });
await server.listen({ port: 0 });
console.log(server.grpcAddress);
