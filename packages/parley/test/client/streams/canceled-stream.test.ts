import type { StreamEvent } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Handler } from '../../calling/support/hostile-server.ts';
import { clientOf, json } from '../support/other-server.ts';
import { brief } from '../support/scripted.ts';

const PING_MS = 10;

const task = (state: string) => ({ kind: 'task', id: 't', contextId: 'c', status: { state } });

/** A stream that never ends by itself: after its first events there are only pings. */
const pinging: Handler = (response, _, body) => {
  const { id, method } = JSON.parse(body) as { id: number; method: string };
  const envelope = (result: unknown) => ({ jsonrpc: '2.0', id, result });
  if (method !== 'message/stream') {
    json(response, 200, envelope(task(method === 'tasks/cancel' ? 'canceled' : 'working')));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const ids = { taskId: 't', contextId: 'c' };
  const update = { kind: 'status-update', ...ids, status: { state: 'working' }, final: false };
  for (const event of [task('submitted'), update]) response.write(`data: ${JSON.stringify(envelope(event))}\n\n`);
  const timer = setInterval(() => response.write(': ping\n\n'), PING_MS);
  response.on('close', () => clearInterval(timer));
};

describe('a stream that goes on after its task was canceled', () => {
  it('ends with the answer to the cancel, for the loop and for the promises', async () => {
    const agent = await clientOf(pinging, 'JSONRPC');
    const stream = agent.sendMessageStream('Wait');
    const ended = stream.task;
    const events: StreamEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.kind === 'status' && event.status.state === 'working') {
        expect((await stream.cancel()).status.state).toBe('canceled');
      }
    }
    expect(brief(events)).toEqual(['task submitted', 'working', 'canceled']);
    expect((await ended).status.state).toBe('canceled');
  });

  it('ends for a reader that waits meanwhile, and lets go of the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const agent = await clientOf((response, request, body) => {
      if (body.includes('message/stream')) response.on('close', () => closed.resolve());
      pinging(response, request, body);
    }, 'JSONRPC');
    const stream = agent.sendMessageStream('Wait');
    const begun = Promise.withResolvers<void>();
    const states = (async () => {
      const seen: string[] = [];
      for await (const event of stream) {
        seen.push(...brief([event]));
        if (seen.length === 2) begun.resolve();
      }
      return seen;
    })();
    await begun.promise;
    await stream.cancel();
    expect(await states).toEqual(['task submitted', 'working', 'canceled']);
    await closed.promise;
    expect(await stream.next()).toEqual({ done: false, value: expect.objectContaining({ kind: 'task' }) });
  });

  it('ends where the client would answer questions too', async () => {
    const agent = await clientOf(pinging, 'JSONRPC');
    const stream = agent.sendMessageStream('Wait', { onInput: async () => 'Nothing' });
    const events: StreamEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.kind === 'status' && event.status.state === 'working') await stream.cancel();
    }
    expect(brief(events)).toEqual(['task submitted', 'working', 'canceled']);
    expect((await stream.task).status.state).toBe('canceled');
  });

  it('goes on where the cancel is only on its way', async () => {
    let isCanceled = false;
    const agent = await clientOf((response, _, body) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const envelope = (result: unknown) => ({ jsonrpc: '2.0', id, result });
      if (method === 'tasks/cancel') {
        isCanceled = true;
        json(response, 200, envelope(task('working')));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(envelope(task('working')))}\n\n`);
      const timer = setInterval(() => {
        if (!isCanceled) return;
        const status = { state: 'canceled' };
        const last = { kind: 'status-update', taskId: 't', contextId: 'c', status, final: true };
        response.end(`data: ${JSON.stringify(envelope(last))}\n\n`);
        clearInterval(timer);
      }, PING_MS);
      onTestFinished(() => clearInterval(timer));
    }, 'JSONRPC');
    const stream = agent.sendMessageStream('Wait');
    const events: StreamEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (events.length === 1) await stream.cancel();
    }
    expect(brief(events)).toEqual(['task working', 'canceled']);
  });
});
