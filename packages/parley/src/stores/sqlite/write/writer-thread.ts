// The thread that writes. It is started by `ThreadWriter`, which is on the other end of the port.
import { parentPort, workerData } from 'node:worker_threads';
import { openForWriting } from '../file/connections.ts';
import type { ThreadSettings, WriteAnswer, WriteFailure, WriteRequest } from './write-access.ts';
import { Writer } from './writer.ts';

const port = parentPort;
if (!port) throw new Error('This file is the main file of a worker thread');

const settings: ThreadSettings = workerData;
const writer = new Writer(openForWriting(settings.file, settings));

port.on('message', (request: WriteRequest) => {
  if (request.kind === 'close') {
    writer.close();
    // Ends the thread, which has nothing else to wait for. Deno's port has no `close`.
    port.unref();
    return;
  }
  post(answer(request));
});
post({ results: [] });

function post(message: WriteAnswer): void {
  port?.postMessage(message);
}

function answer(request: Exclude<WriteRequest, { kind: 'close' }>): WriteAnswer {
  try {
    if (request.kind === 'commit') return { results: writer.commit(request.entries, request.now) };
    if (request.kind === 'purge') return { results: writer.purge(request.query) };
    if (request.kind === 'trim') {
      const { tasks, next = '' } = writer.trim(request.query);
      return { results: [next, ...tasks] };
    }
    if (request.kind === 'follow') return { results: writer.followAll(request.changes) };
    if (request.kind === 'change-api-keys') {
      return { results: writer.changeApiKeys(request.change) ? [request.change.kind] : [] };
    }
    if (request.kind === 'share') return { results: writer.share(request.rows) };
    if (request.kind === 'sweep') return { results: writer.sweep(request.now) ? ['more'] : [] };
    writer.probe();
    return { results: [] };
  } catch (error) {
    return { failure: describeFailure(error) };
  }
}

function describeFailure(error: unknown): WriteFailure {
  if (!(error instanceof Error)) return { message: String(error), details: {} };
  return { message: error.message, details: Object.fromEntries(Object.entries(error)) };
}
