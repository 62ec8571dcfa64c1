import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answer,
  chunkFrame,
  type FloorRequest,
  type FloorTask,
  newTask,
  statusFrame,
  taskFrame,
  taskText,
} from './floor-wire.ts';
import { runScript } from './script.ts';

/** `simple` writes each event by itself; `limit` writes what is ready in one turn at once, shared by all readers. */
type Floor = 'simple' | 'limit';

interface Live {
  readonly task: FloorTask;
  readonly readers: Set<ServerResponse>;
  pending: string;
}

const JSON_HEADERS = { 'content-type': 'application/json', 'a2a-protocol-version': '1.0' };
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'a2a-protocol-version': '1.0',
};

const finished: Map<string, string> = new Map();
const live: Map<string, Live> = new Map();

export function startFloor(floor: Floor): Promise<number> {
  const server = createServer((request, response) => {
    readBody(request, (body) => void handle(floor, JSON.parse(body) as FloorRequest, response));
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => done(body));
}

async function handle(floor: Floor, { id, method, params }: FloorRequest, response: ServerResponse): Promise<void> {
  const text = params.message?.parts[0]?.text ?? '';
  const messageId = params.message?.messageId ?? '';
  switch (method) {
    case 'SendMessage': {
      const task = newTask(randomUUID, { messageId, text });
      let output = '';
      for await (const chunk of runScript(text)) output += chunk;
      const result = taskText(task, 'COMPLETED', output);
      finished.set(task.id, result);
      return sendJson(response, answer(id, `{"task":${result}}`));
    }
    case 'GetTask':
      return sendJson(response, answer(id, finished.get(params.id ?? '') ?? 'null'));
    case 'SendStreamingMessage':
      return stream(floor, id, newTask(randomUUID, { messageId, text }), text, response);
    case 'SubscribeToTask': {
      const joined = live.get(params.id ?? '');
      if (!joined) return sendJson(response, answer(id, 'null'));
      response.writeHead(200, STREAM_HEADERS);
      response.write(taskFrame(1, id, joined.task, 'WORKING'));
      joined.readers.add(response);
      response.on('close', () => joined.readers.delete(response));
      return;
    }
    default:
      return sendJson(response, `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Unknown method"}}`);
  }
}

async function stream(
  floor: Floor,
  id: number,
  task: FloorTask,
  text: string,
  response: ServerResponse,
): Promise<void> {
  const readers = new Set([response]);
  const state: Live = { task, readers, pending: '' };
  live.set(task.id, state);
  response.on('close', () => readers.delete(response));
  response.writeHead(200, STREAM_HEADERS);
  const emit = floor === 'simple' ? emitAlone : emitTogether;
  let seq = 2;
  emit(state, taskFrame(seq++, id, task, 'SUBMITTED'));
  emit(state, statusFrame(seq++, id, task, 'WORKING'));
  for await (const chunk of runScript(text)) emit(state, chunkFrame(seq++, id, task, chunk));
  emit(state, statusFrame(seq, id, task, 'COMPLETED'));
  flush(state);
  live.delete(task.id);
  for (const reader of readers) reader.end();
}

function emitAlone({ readers }: Live, frame: string): void {
  for (const reader of readers) reader.write(frame);
}

function emitTogether(state: Live, frame: string): void {
  if (state.pending === '') setImmediate(flush, state);
  state.pending += frame;
}

function flush(state: Live): void {
  if (state.pending === '') return;
  const bytes = Buffer.from(state.pending);
  state.pending = '';
  for (const reader of state.readers) reader.write(bytes);
}

function sendJson(response: ServerResponse, body: string): void {
  response.writeHead(200, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
