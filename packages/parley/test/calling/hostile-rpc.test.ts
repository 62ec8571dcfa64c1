import { describe, expect, it } from 'vitest';
import { against, errorsOf, OLD_TASK, SEND, TASK, WIRE_TASK } from './support/against.ts';
import { CALL, collected, errorOf, WAYS } from './support/callers.ts';
import { answering, type Handler } from './support/hostile-server.ts';

const RPC = WAYS.filter(({ binding }) => binding === 'JSONRPC');

describe.each(RPC)('JSON-RPC of $version', (way) => {
  const envelope =
    (members: object | ((id: unknown) => object), status = 200): Handler =>
    (response, _, body) => {
      const { id } = JSON.parse(body) as { id: unknown };
      const filled = typeof members === 'function' ? members(id) : { id, ...members };
      answering(status, 'application/json', JSON.stringify({ jsonrpc: '2.0', ...filled }))(response, _, body);
    };

  it.each([
    ['another id', { id: 999, result: {} }, /id is 999 instead of 1/],
    ['no id', { id: undefined, result: {} }, /id is missing/],
    ['a null id', { id: null, result: {} }, /id is null/],
    ['neither result nor error', {}, /neither a result nor an error/],
    ['a null error and no result', { error: null }, /neither a result nor an error/],
    ['an error for another call', { id: 7, error: { code: -32001, message: 'Gone' } }, /id is 7/],
  ])('an answer with %s is refused', async (_, members, message) => {
    const caller = await against(way, envelope(members));
    const error = await errorOf(caller.unary('getTask', TASK, CALL));
    expect(error.code).toBe('INVALID_RESPONSE');
    expect(error.message).toMatch(message);
  });

  it.each([
    200, 400, 404, 500,
  ])('an error is read from a body with status %i [rule:jsonrpc.client-status]', async (status) => {
    const members = { error: { code: -32001, message: 'Gone' } };
    for (const error of await errorsOf(way, envelope(members, status))) {
      expect(error).toMatchObject({ code: 'TASK_NOT_FOUND', message: 'Gone', httpStatus: status });
    }
  });

  it('an error may have no id, and an id may have become a text', async () => {
    const nameless = await against(way, envelope({ id: null, error: { code: -32700, message: 'What?' } }));
    expect((await errorOf(nameless.unary('getTask', TASK, CALL))).code).toBe('PARSE_ERROR');
    const lettered = await against(
      way,
      envelope((id) => ({ id: String(id), result: null })),
    );
    expect(await lettered.unary('deletePushConfig', { ...TASK, taskId: 't' }, CALL)).toBeUndefined();
  });

  it('a JSON answer to a stream is its only event [rule:stream.client-content-type]', async () => {
    const task = way.version === '1.0' ? { task: WIRE_TASK } : { kind: 'task', ...OLD_TASK };
    const caller = await against(way, envelope({ result: task }));
    const events = await collected(caller.stream('sendStreamingMessage', SEND, CALL));
    expect(events).toMatchObject([{ id: undefined, event: { kind: 'task', task: { id: 't-1' } } }]);
  });

  it('an error is an event of the stream, the first or a later one [rule:stream.client-error-event]', async () => {
    const task = way.version === '1.0' ? { task: WIRE_TASK } : { kind: 'task', ...OLD_TASK };
    for (const before of [[], [{ result: task }]]) {
      const caller = await against(way, (response, _, body) => {
        const { id } = JSON.parse(body) as { id: unknown };
        const frames = [...before, { error: { code: -32001, message: 'Gone' } }];
        const texts = frames.map((frame) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, ...frame })}\n\n`);
        answering(200, 'text/event-stream', texts.join(''))(response, _, body);
      });
      const stream = await caller.stream('subscribeToTask', TASK, CALL);
      for (const _ of before) expect(await stream.next()).toMatchObject({ done: false });
      expect(await errorOf(stream.next())).toMatchObject({ code: 'TASK_NOT_FOUND' });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    }
  });

  it('an event for another call is refused', async () => {
    const text = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 99, result: {} })}\n\n`;
    const caller = await against(way, answering(200, 'text/event-stream', text));
    expect((await errorOf(collected(caller.stream('subscribeToTask', TASK, CALL)))).message).toContain('id is 99');
  });
});
