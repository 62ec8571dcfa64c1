import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AClient, textOf } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';

const TIME = '2025-10-30T10:00:00.000Z';
const IDS = { taskId: 'task-789', contextId: 'ctx-1' };

interface Script {
  /** What comes for a message; `answer` is the tool-result that it brought. */
  readonly frames: (message: Wire, answer: Wire) => readonly Wire[];
  readonly back?: readonly Wire[];
}

/** A server that does what the document says and nothing else. */
async function serverOf(script: Script): Promise<{ readonly url: string; readonly requests: Wire[] }> {
  const requests: Wire[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST' || request.url !== '/api/a2a') return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: Wire = JSON.parse(Buffer.concat(chunks).toString());
    requests.push(body);
    const { method, params, id } = body;
    if (method === 'message/stream') {
      const result = params.message.parts.find((part: Wire) => part.kind === 'tool-result');
      stream(response, id, script.frames(params.message, result));
    } else if (method === 'tasks/get' && params.taskId) {
      stream(response, id, script.back ?? []);
    } else if (method === 'tasks/get') {
      const hasEnded = requests.some((one) => one.params.taskId);
      const artifacts = [{ artifactId: 'artifact-0', parts: [{ kind: 'text', text: 'all of it' }] }];
      const working = { ...task, status: { state: 'working', timestamp: TIME } };
      const ended = { ...task, status: { state: 'completed', timestamp: TIME }, artifacts };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: hasEnded ? ended : working }));
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/a2a`, requests };
}

/** A stream that asks stays open, as the document's do. */
function stream(response: ServerResponse, id: unknown, frames: readonly Wire[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(': keep-alive\n\n');
  for (const frame of frames) {
    const content = frame.error ? frame : { result: frame };
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...content })}\n\n`);
  }
  if (frames.at(-1)?.status?.state !== 'input-required') response.end();
}

const status = (state: string, more: object = {}) => ({
  kind: 'status-update',
  ...IDS,
  status: { state, timestamp: TIME, ...more },
  final: state === 'completed',
});
const task = { kind: 'task', id: IDS.taskId, contextId: IDS.contextId, status: { state: 'started', timestamp: TIME } };
const piece = (text: string, append: boolean, index = 0) => ({
  kind: 'artifact-update',
  ...IDS,
  index: 0,
  part: { kind: 'text', text, index, append },
  timestamp: TIME,
});

it('the client reads the older spellings of a stream (S0.21) (S0.19)', async () => {
  const { url } = await serverOf({
    frames: () => [task, status('working'), piece('Result ', false), piece('content', true, 1), status('completed')],
  });
  const stream = new A2AClient(url, { protocol: 'rxjs' }).sendMessageStream('Hello!');
  const pieces: string[] = [];
  for await (const text of stream.textStream) pieces.push(text);
  expect(pieces).toEqual(['Result ', 'content']);
  expect(await stream.task).toMatchObject({ id: 'task-789', status: { state: 'completed' } });
});

it('the client answers an inputRequest with a tool-result that only references the task (S0.7)', async () => {
  const inputRequest = { kind: 'input-request', prompt: 'Enter API key:', sensitive: true, requestId: 'input-1' };
  const parts = [{ kind: 'text', text: 'Please provide your API key' }];
  const asking = { kind: 'message', role: 'agent', parts, messageId: 'msg-5', inputRequest };
  const { url, requests } = await serverOf({
    frames: (_, answer) =>
      answer
        ? [status('working'), piece(`got ${answer.result.value}`, false), status('completed')]
        : [task, status('input-required', { message: asking })],
  });
  const asked: Wire[] = [];
  const client = new A2AClient(url, {
    protocol: 'rxjs',
    onInput: (question) => {
      asked.push(question);
      return 'secret-key-123';
    },
  });
  const result = await client.sendMessageStream('Use my key').task;
  expect(textOf(result)).toBe('got secret-key-123');
  expect(asked[0]).toMatchObject({ prompt: 'Enter API key:', sensitive: true, id: 'input-1', taskId: 'task-789' });
  const { message } = requests.at(-1).params;
  expect(message).toMatchObject({
    kind: 'message',
    role: 'user',
    parts: [{ kind: 'text' }, { kind: 'tool-result', toolUseId: 'input-1', result: { value: 'secret-key-123' } }],
    referenceTaskIds: ['task-789'],
  });
  expect(message).not.toHaveProperty('taskId');
  expect(message).not.toHaveProperty('contextId');
});

it('the client tells an input timeout from a task that is not there (S0.9) (S0.10)', async () => {
  const data = { taskId: 'task-789', timeoutSeconds: 300 };
  const { url } = await serverOf({
    frames: () => [task, { error: { code: -32001, message: 'Input timeout', data } }],
  });
  const client = new A2AClient(url, { protocol: 'rxjs', reconnect: false });
  await expect(client.sendMessageStream('Hi').task).rejects.toMatchObject({ reason: 'INPUT_TIMEOUT' });
});

it('the client comes back with tasks/get by taskId (S0.8)', async () => {
  const { url, requests } = await serverOf({
    frames: () => [],
    back: [status('working'), piece('all of it', false), status('completed')],
  });
  const client = new A2AClient(url, { protocol: 'rxjs' });
  const stream = client.subscribe('task-789');
  expect(textOf(await stream.task)).toBe('all of it');
  expect(requests).toContainEqual(expect.objectContaining({ method: 'tasks/get', params: { taskId: 'task-789' } }));
});
