import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AServer } from 'parley-a2a';
import {
  type A2AClient,
  A2AClientImpl,
  type A2AStreamEvent,
  type MessageSendParams,
  type Task,
} from 'parley-a2a/compat/rxjs';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { agentOf } from '../support/script.ts';
import { compiles } from '../types/compiles.ts';

const asking = (text: string): MessageSendParams => ({
  message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text }], messageId: 'msg-1' },
});

async function start(): Promise<string> {
  const agent = agentOf(async function* (task) {
    if (task.text === 'fail') throw new Error('inner text');
    if (task.text === 'ask') {
      const key = await task.ask({ prompt: 'Enter API key:', sensitive: true });
      yield `The key has ${key.length} letters`;
    } else yield* ['Sales ', 'increased ', 'by 15 %'];
  });
  const server = new A2AServer({ agents: [agent], log: { error: () => {}, warn: () => {} } });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return `${server.url}`;
}

describe('the client of the RxJS document (S0.19)', () => {
  it('streams the document’s events and stops at the final one', async () => {
    const client = new A2AClientImpl(await start(), 'token-123');
    const seen: A2AStreamEvent[] = [];
    for await (const event of client.streamMessage(asking('Analyze sales data'))) seen.push(event);
    expect(seen[0]).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
    const chunks = seen.filter((event) => event.kind === 'artifact-update');
    expect(chunks.map(({ part }) => (part?.kind === 'text' ? part.text : '')).join('')).toBe('Sales increased by 15 %');
    expect(seen.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
  });

  it('sends and gives the finished task; a failure is thrown', async () => {
    const client = new A2AClientImpl(await start());
    const task = await client.sendMessage(asking('Quick question'));
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(Object.keys(task)[0]).toBe('kind');
    expect((await client.sendMessage(asking('fail'))).status.state).toBe('failed');
    await expect(client.sendMessage({ message: { ...asking('x').message, taskId: 'none' } })).rejects.toMatchObject({
      code: 'TASK_NOT_FOUND',
    });
  });

  it('answers an input request in the way of the document (S0.7)', async () => {
    const client = new A2AClientImpl(await start());
    let answer: MessageSendParams | undefined;
    for await (const event of client.streamMessage(asking('ask'))) {
      if (event.kind !== 'status-update' || event.status.state !== 'input-required') continue;
      const { requestId: toolUseId, sensitive } = event.status.message?.inputRequest ?? { requestId: '' };
      expect(sensitive).toBe(true);
      answer = {
        message: {
          kind: 'message',
          role: 'user',
          parts: [
            { kind: 'text', text: 'Tool result:' },
            { kind: 'tool-result', toolUseId, result: { value: 'secret-key-123' } },
          ],
          messageId: 'msg-6',
          referenceTaskIds: [event.taskId],
        },
      };
    }
    const texts: unknown[] = [];
    for await (const event of client.streamMessage(answer as MessageSendParams)) {
      if (event.kind === 'artifact-update') texts.push(event.part);
    }
    expect(texts).toEqual([{ kind: 'text', text: 'The key has 14 letters' }]);
  });

  it('survives chunks that end anywhere, and sends its token', async () => {
    const ids = { taskId: 't-1', contextId: 'c-1' };
    const results = [
      { kind: 'task', id: 't-1', contextId: 'c-1', status: { state: 'started' } },
      { kind: 'artifact-update', ...ids, index: 0, part: { kind: 'text', text: 'Größe 👍', index: 0, append: false } },
      { kind: 'status-update', ...ids, status: { state: 'completed' }, final: true },
    ];
    const frames = results.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`).join('');
    const tokens: unknown[] = [];
    const trickle = async (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from(frames)) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    };
    const server = createServer((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(404).end();
      tokens.push(request.headers.authorization);
      void trickle(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const client = new A2AClientImpl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token-123');
    const seen: A2AStreamEvent[] = [];
    for await (const event of client.streamMessage(asking('x'))) seen.push(event);
    expect(seen.map(({ kind }) => kind)).toEqual(['task', 'artifact-update', 'status-update']);
    expect(seen[1]).toMatchObject({ part: { kind: 'text', text: 'Größe 👍' } });
    expect(tokens).toEqual(['Bearer token-123']);
  });
});

/** A program in the shape of the document's: what it imports is all that it needs. */
compiles(async () => {
  const client: A2AClient = new A2AClientImpl('https://agent.example.com', 'token-123');
  for await (const event of client.streamMessage({
    message: {
      kind: 'message',
      role: 'user',
      parts: [{ kind: 'text', text: 'Analyze sales data' }],
      messageId: crypto.randomUUID(),
    },
    configuration: { acceptedOutputModes: ['application/json', 'text/plain'], historyLength: 10 },
  })) {
    if (event.kind === 'artifact-update') console.log('Artifact chunk:', event.part);
    else if (event.kind === 'status-update') console.log('Status:', event.status.state);
    else if (event.kind === 'task') console.log('Task started:', event.id);
    if (event.kind === 'status-update' && event.status.message?.referenceTaskIds) console.log(event.taskId);
  }
  const task = await client.sendMessage(asking('Quick question'));
  expectTypeOf(task).toEqualTypeOf<Task>();
});

/** The document's own interface, word for word where it matters: our client is one. */
interface DocumentClient {
  streamMessage(params: MessageSendParams): AsyncIterableIterator<A2AStreamEvent | { error: { code: number } }>;
  sendMessage(params: MessageSendParams): Promise<Task>;
}

compiles((): DocumentClient => new A2AClientImpl('https://agent.example.com', 'token-123'));
