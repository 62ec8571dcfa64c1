import { A2AClient, A2AServer, defineAgent } from 'parley-a2a';

/** Leaves streams in every way in which a user can, and is then done: the process has to end by itself. */
const rejections: unknown[] = [];
process.on('unhandledRejection', (reason) => rejections.push(reason));

const slow = defineAgent({
  name: 'slow',
  description: 'Takes its time',
  version: '1.0.0',
  async *run({ signal }) {
    for (let word = 0; word < 1_000 && !signal.aborted; word += 1) {
      yield `${word} `;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  },
});
const server = new A2AServer({ agents: { slow } });
await server.listen({ port: 0 });
const url = String(server.url);

const agent = await A2AClient.connect(url, { reconnect: { attempts: 1, firstDelay: 1 } });
agent.sendMessageStream('never asked for anything');
for await (const _ of agent.sendMessageStream('left in the middle')) break;
for await (const _ of agent.sendMessageStream('text, left in the middle').textStream) break;
await agent.sendMessageStream('canceled before its first event').cancel();
await agent.asTool({ timeout: 50 }).execute({ task: 'takes too long' });
void agent.sendMessageStream('fails, and nobody waits', { signal: AbortSignal.timeout(50) }).task;
void agent.sendMessageStream('fails before', { signal: AbortSignal.abort() }).result;
const lost = agent.sendMessageStream('loses its server');
const id = await lost.id;
void lost.task;
await server.close();
const gone = new A2AClient(url, { retry: false });
void gone.sendMessageStream('nobody there').id;
void gone.subscribe(id).task;
await gone.run('nobody there').catch(() => {});
await new Promise((resolve) => setTimeout(resolve, 100));
process.stdout.write(JSON.stringify({ rejections: rejections.map(String) }));
