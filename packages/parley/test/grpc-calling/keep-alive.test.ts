import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { A2AClient, A2AServer, defineAgent } from 'parley-a2a';
import { grpc } from 'parley-a2a/grpc';
import { expect, it, onTestFinished } from 'vitest';
import { gate } from '../support/script.ts';

/** A line between a client and a server that can go dead without anybody being told. */
async function deadlyLine(port: number) {
  const sockets = new Set<Socket>();
  const line = createServer((near) => {
    const far = dial(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => other.destroy());
      socket.on('data', (bytes) => void (sockets.has(socket) && other.write(bytes)));
    }
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    line.close();
    for (const socket of sockets) socket.destroy();
  });
  const all: Socket[] = [];
  onTestFinished(() => {
    for (const socket of all) socket.destroy();
  });
  return {
    port: (line.address() as AddressInfo).port,
    /** Connections that are open carry nothing from now on, and stay open; new ones are sound. */
    die: () => {
      all.push(...sockets);
      sockets.clear();
    },
  };
}

it('finds out that a line is dead, and goes on by another, without a loss or a repeat', async () => {
  const released = gate();
  const agent = defineAgent({
    name: 'slow',
    description: 'Says a word, and later another',
    version: '1.0.0',
    async *run() {
      yield 'one ';
      await released.promise;
      yield 'two';
    },
  });
  const server = new A2AServer({ agents: [agent], drainTimeout: 0, grpc: { port: 0 } });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const line = await deadlyLine(Number(server.grpcAddress?.split(':').at(-1)));
  const client = await A2AClient.connect(server.url ?? '', {
    prefer: { binding: 'GRPC' },
    bindings: [grpc({ keepAlive: 300, channelOptions: { 'grpc.keepalive_timeout_ms': 1000 } })],
    reconnect: { firstDelay: 1, longestDelay: 50, attempts: 1000 },
    fetch: async (input, init) => {
      const response = await server.fetch(new Request(input, init));
      const text = (await response.text()).replaceAll(server.grpcAddress ?? '', `127.0.0.1:${line.port}`);
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
    },
  });
  const stream = client.sendMessageStream('go');
  let text = '';
  for await (const piece of stream.textStream) {
    text += piece;
    if (text !== 'one ') continue;
    line.die();
    released.resolve();
  }
  expect(text).toBe('one two');
  expect((await stream.task).status.state).toBe('completed');
});
