import { describe, expect, it } from 'vitest';
import { against, OLD_TASK, TASK, WIRE_TASK } from './support/against.ts';
import { CALL, collected, errorOf, WAYS } from './support/callers.ts';
import { answering } from './support/hostile-server.ts';

describe.each(WAYS)('the events of a stream of $version over $binding', (way) => {
  const task =
    way.version === '1.0'
      ? { task: WIRE_TASK }
      : way.binding === 'JSONRPC'
        ? { kind: 'task', ...OLD_TASK }
        : { task: OLD_TASK };
  const frame = (id: unknown, payload: object): string =>
    JSON.stringify(way.binding === 'JSONRPC' ? { jsonrpc: '2.0', id, result: payload } : payload);
  const idOf = (body: string): unknown =>
    way.binding === 'JSONRPC' ? (JSON.parse(body) as { id: unknown }).id : undefined;

  it('have the ids of their frames, and end at [DONE]', async () => {
    const caller = await against(way, (response, request, body) => {
      const text = frame(idOf(body), task);
      const content = `: hello\n\nid: 7\ndata: ${text}\n\ndata: ${text}\n\ndata: [DONE]\n\ndata: ${text}\n\n`;
      answering(200, 'text/event-stream', content)(response, request, body);
    });
    const events = await collected(caller.stream('subscribeToTask', TASK, CALL));
    expect(events.map(({ id, final }) => [id, final])).toEqual([
      ['7', false],
      [undefined, false],
    ]);
  });

  it('are whole: one that is cut off is not there, one that lacks the blank line is', async () => {
    for (const [cut, count] of [
      [10, 1],
      [0, 2],
    ] as const) {
      const caller = await against(way, (response, request, body) => {
        const text = frame(idOf(body), task);
        const content = `data: ${text}\n\ndata: ${text.slice(0, text.length - cut)}`;
        answering(200, 'text/event-stream', content)(response, request, body);
      });
      expect(await collected(caller.stream('subscribeToTask', TASK, CALL))).toHaveLength(count);
    }
  });

  it('that are not JSON or not A2A are errors that name it', async () => {
    for (const [data, message] of [
      ['<html>', /not valid JSON/],
      ['{"hello":1}', /not valid|not a valid/],
    ] as const) {
      const caller = await against(way, answering(200, 'text/event-stream', `data: ${data}\n\n`));
      const error = await errorOf(collected(caller.stream('subscribeToTask', TASK, CALL)));
      expect(error.code).toBe('INVALID_RESPONSE');
      expect(error.message).toMatch(message);
    }
  });

  it('end where 0.3 says so, whatever the state [rule:v03.client-final]', async () => {
    if (way.version === '1.0') return;
    const update = { taskId: 't-1', contextId: 'c-1', status: { state: 'working' }, final: true };
    const payload = way.binding === 'JSONRPC' ? { kind: 'status-update', ...update } : { statusUpdate: update };
    let closed = false;
    const caller = await against(way, (response, _, body) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.on('close', () => {
        closed = true;
      });
      response.write(`data: ${frame(idOf(body), payload)}\n\n`);
    });
    const events = await collected(caller.stream('subscribeToTask', TASK, CALL));
    expect(events).toMatchObject([{ final: true, event: { kind: 'status', status: { state: 'working' } } }]);
    await expect.poll(() => closed).toBe(true);
  });

  it('stop at once when the reader goes away, also while it waits', async () => {
    let closed = false;
    const caller = await against(way, (response, _, body) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.on('close', () => {
        closed = true;
      });
      response.write(`data: ${frame(idOf(body), task)}\n\n`);
    });
    const stream = await caller.stream('subscribeToTask', TASK, CALL);
    expect(await stream.next()).toMatchObject({ done: false });
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toMatchObject({ done: true });
    await expect.poll(() => closed).toBe(true);
  });

  it('end with an error where the connection is lost', async () => {
    const caller = await against(way, (response, _, body) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${frame(idOf(body), task)}\n\n`);
      setTimeout(() => response.destroy(), 10);
    });
    const stream = await caller.stream('subscribeToTask', TASK, CALL);
    expect(await stream.next()).toMatchObject({ done: false });
    expect((await errorOf(stream.next())).code).toBe('UNREACHABLE');
    expect(await stream.next()).toMatchObject({ done: true });
  });
});
