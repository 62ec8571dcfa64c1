import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';

/**
 * A server of the draft made from nothing but its document, to try clients with: two addresses, the frames of its
 * listing, cursors as it makes them. It knows no ids of frames, no chunks and no resuming.
 */
export interface DocumentServer {
  readonly url: string;
  /** Every request that came, with its path. */
  readonly seen: readonly {
    readonly path: string;
    readonly method: string;
    readonly params: Wire;
    readonly headers: Wire;
  }[];
  readonly tasks: ReadonlyMap<string, Wire>;
  /** Changes a task and tells its readers. */
  update(taskId: string, change: { readonly state?: string; readonly artifact?: Wire; readonly says?: string }): void;
  /** Ends all open streams without a word. */
  cut(): void;
}

const ENDS = ['completed', 'failed', 'cancelled', 'rejected'];

export async function documentServer(
  options: { readonly streamsAt?: '/a2a/stream' | '/a2a' } = {},
): Promise<DocumentServer> {
  const { streamsAt = '/a2a/stream' } = options;
  const tasks = new Map<string, Wire>();
  const readers = new Map<ServerResponse, { readonly taskId: string; readonly id: Wire }>();
  const seen: { path: string; method: string; params: Wire; headers: Wire }[] = [];
  let count = 0;

  const write = (response: ServerResponse, id: Wire, result: Wire) =>
    void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);

  const tell = (taskId: string, result: Wire) => {
    for (const [response, reader] of readers) {
      if (reader.taskId !== taskId) continue;
      write(response, reader.id, result);
      if (!result.final) continue;
      readers.delete(response);
      response.end();
    }
  };

  const update: DocumentServer['update'] = (taskId, { state, artifact, says }) => {
    const task = tasks.get(taskId);
    if (artifact) {
      task.artifacts = [
        ...(task.artifacts ?? []).filter((other: Wire) => other.artifactId !== artifact.artifactId),
        artifact,
      ];
      tell(taskId, { type: 'artifact', taskId, artifact });
    }
    if (!state) return;
    task.status = { state, timestamp: new Date().toISOString() };
    if (says) task.status.message = { messageId: `m-${++count}`, role: 'agent', parts: [{ text: says }], taskId };
    const final = ENDS.includes(state) || state === 'input-required';
    tell(taskId, { type: 'status', taskId, status: task.status, ...(final && { final }) });
  };

  const create = ({ message }: Wire): Wire => {
    const known = tasks.get(message.taskId);
    if (known) {
      known.history.push(message);
      return known;
    }
    count += 1;
    const id = `task-${count}`;
    const status = { state: 'submitted', timestamp: new Date().toISOString() };
    const task = { id, contextId: message.contextId ?? `ctx-${count}`, status, history: [message] };
    tasks.set(id, task);
    return task;
  };

  /** Unless the test plays the agent. */
  const work = (task: Wire, { message }: Wire) => {
    const [part] = message.parts;
    if (part.text === 'wait') return update(task.id, { state: 'working' });
    if (part.text === 'ask') return update(task.id, { state: 'input-required', says: 'Which one?' });
    update(task.id, { state: 'working' });
    update(task.id, { artifact: { artifactId: `art-${task.id}`, parts: message.parts } });
    update(task.id, { state: 'completed' });
  };

  const unary: Readonly<Record<string, (params: Wire) => Wire>> = {
    SendMessage: (params) => {
      const task = create(params);
      work(task, params);
      return task;
    },
    GetTask: ({ id }) => tasks.get(id) ?? fail(-32001, 'TaskNotFoundError'),
    CancelTask: ({ id }) => {
      const task = tasks.get(id) ?? fail(-32001, 'TaskNotFoundError');
      if (ENDS.includes(task.status.state)) fail(-32002, 'TaskNotCancelableError');
      update(id, { state: 'cancelled' });
      return task;
    },
    ListTasks: ({ contextId, state, cursor, limit = 20 }) => {
      if (!Number.isInteger(limit) || limit < 1 || limit > 100) fail(-32602, 'limit');
      const all = [...tasks.values()].filter(
        (task) => (!contextId || task.contextId === contextId) && (!state || state.includes(task.status.state)),
      );
      const [, after] = Buffer.from(cursor ?? '', 'base64')
        .toString()
        .split(':');
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const page = all.slice(start, start + limit);
      const last = page.at(-1);
      if (!last || start + limit >= all.length) return { tasks: page };
      const nextCursor = Buffer.from(`${Date.parse(last.status.timestamp)}:${last.id}`).toString('base64');
      return { tasks: page, nextCursor };
    },
  };

  const stream = (method: string, id: Wire, params: Wire, response: ServerResponse) => {
    const isSend = ['SendMessage', 'StreamMessage', 'SendStreamingMessage'].includes(method);
    const task = isSend ? create(params) : (tasks.get(params.id) ?? fail(-32001, 'TaskNotFoundError'));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'a2a-protocol-version': '1.0' });
    write(response, id, { taskId: task.id, contextId: task.contextId, status: task.status });
    if (!isSend && ENDS.includes(task.status.state)) return void response.end();
    readers.set(response, { taskId: task.id, id });
    response.on('close', () => readers.delete(response));
    if (isSend) work(task, params);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (path === '/.well-known/agent-card.json') return json(response, cardAt(`${address}/a2a`));
    if (request.method !== 'POST' || (path !== '/a2a' && path !== streamsAt)) return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    seen.push({ path, method, params, headers: request.headers });
    const streams = ['StreamMessage', 'SendStreamingMessage', 'Resubscribe', 'SubscribeToTask'].includes(method);
    try {
      if (path === '/a2a/stream' || (streams && streamsAt === '/a2a')) return stream(method, id, params, response);
      const handler = unary[method] ?? fail(-32601, `Method not found: ${method}`);
      return json(response, { jsonrpc: '2.0', id, result: handler(params) });
    } catch (error) {
      return json(response, { jsonrpc: '2.0', id, error: (error as { readonly rpc?: Wire }).rpc ?? String(error) });
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const response of [...readers.keys()]) response.destroy();
  };
  onTestFinished(async () => {
    cut();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, tasks, update, cut };
}

function json(response: ServerResponse, body: Wire): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function fail(code: number, message: string): never {
  throw Object.assign(new Error(message), { rpc: { code, message } });
}

function cardAt(url: string): Wire {
  return {
    protocolVersions: ['1.0'],
    name: 'LiquidCrypto',
    description: 'An agent of the document',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text', 'file'],
    defaultOutputModes: ['text', 'file'],
    skills: [],
  };
}
