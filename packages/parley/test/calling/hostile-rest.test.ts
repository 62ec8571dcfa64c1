import { describe, expect, it } from 'vitest';
import { against, OLD_TASK, SEND, TASK, WIRE_TASK } from './support/against.ts';
import { CALL, collected, errorOf, WAYS } from './support/callers.ts';
import { answering } from './support/hostile-server.ts';

const REST = WAYS.filter(({ binding }) => binding === 'HTTP+JSON');

describe.each(REST)('HTTP+JSON of $version', (way) => {
  const wrapped = { task: way.version === '1.0' ? WIRE_TASK : OLD_TASK };

  it.each([200, 201, 202, 299])('takes the status %i for success [rule:rest.client-2xx]', async (status) => {
    const caller = await against(way, answering(status, 'application/json', JSON.stringify(wrapped)));
    expect(await caller.unary('sendMessage', SEND, CALL)).toMatchObject({ id: 't-1' });
  });

  it.each([200, 204])('needs no body of a delete with status %i [rule:rest.client-2xx]', async (status) => {
    const caller = await against(way, answering(status, undefined, ''));
    expect(await caller.unary('deletePushConfig', { ...TASK, taskId: 't' }, CALL)).toBeUndefined();
  });

  it('reads JSON whatever type the server names', async () => {
    for (const type of [
      'application/a2a+json',
      'text/plain; charset=utf-8',
      'application/json; charset=utf-8',
      undefined,
    ]) {
      const caller = await against(way, answering(200, type, JSON.stringify(wrapped)));
      expect(await caller.unary('sendMessage', SEND, CALL)).toMatchObject({ id: 't-1' });
    }
  });

  it('goes by the status where the body says nothing it knows', async () => {
    for (const [status, code] of [
      [400, 'INVALID_PARAMS'],
      [404, 'TASK_NOT_FOUND'],
      [405, 'METHOD_NOT_ALLOWED'],
      [415, 'CONTENT_TYPE_NOT_SUPPORTED'],
      [500, 'INTERNAL'],
    ] as const) {
      const caller = await against(way, answering(status, 'application/json', '{"detail":"Because"}'));
      expect(await errorOf(caller.unary('getTask', TASK, CALL))).toMatchObject({
        code,
        message: 'Because',
        httpStatus: status,
      });
    }
  });

  it('a status stands for the error of the operation where the body names none', async () => {
    const refuses = async (status: number, body: string) => against(way, answering(status, 'application/json', body));
    const message = '{"message":"Task cannot be canceled - current state: completed"}';
    expect(await errorOf((await refuses(409, message)).unary('cancelTask', TASK, CALL))).toMatchObject({
      code: 'TASK_NOT_CANCELABLE',
      message: 'Task cannot be canceled - current state: completed',
    });
    const coded = '{"error":{"code":409,"message":"Completed"}}';
    expect(await errorOf((await refuses(409, coded)).unary('cancelTask', TASK, CALL))).toMatchObject({
      code: 'TASK_NOT_CANCELABLE',
    });
    const unknown = '{"message":"Task t-1 was specified but does not exist"}';
    const followUp = { ...SEND, message: { ...SEND.message, taskId: 't-1' } };
    for (const body of [unknown, '{}', '']) {
      expect(await errorOf((await refuses(404, body)).unary('getTask', TASK, CALL))).toMatchObject({
        code: 'TASK_NOT_FOUND',
      });
      expect(await errorOf((await refuses(404, body)).stream('sendStreamingMessage', followUp, CALL))).toMatchObject({
        code: 'TASK_NOT_FOUND',
      });
    }
  });

  it('an address that a server does not have is not a task that it does not have', async () => {
    for (const words of ['Not Found', 'Route GET:/v1/tasks/t-1 not found', 'Cannot GET /v1/tasks/t-1']) {
      const caller = await against(way, answering(404, 'application/json', JSON.stringify({ message: words })));
      expect(await errorOf(caller.unary('getTask', TASK, CALL))).toMatchObject({ code: 'NOT_FOUND' });
    }
    const caller = await against(way, answering(404, 'application/json', '{"message":"It is gone"}'));
    expect(await errorOf(caller.unary('sendMessage', SEND, CALL))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a JSON answer to a stream is its only event [rule:stream.client-content-type]', async () => {
    const caller = await against(way, answering(201, 'application/json', JSON.stringify(wrapped)));
    expect(await collected(caller.stream('sendStreamingMessage', SEND, CALL))).toMatchObject([
      { event: { kind: 'task' } },
    ]);
    const empty = await against(way, answering(204, undefined, ''));
    expect(await collected(empty.stream('subscribeToTask', TASK, CALL))).toEqual([]);
  });

  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
  ];
  it.each([
    ['with its name', 'event: error\n', { error: { code: 404, status: 'NOT_FOUND', message: 'Gone', details } }],
    ['without its name', '', { error: { code: 404, status: 'NOT_FOUND', message: 'Gone', details } }],
    ['in the words of 0.3', 'event: error\n', { code: -32001, message: 'Gone' }],
  ])('an error is an event of the stream, %s [rule:stream.client-error-event]', async (_, name, body) => {
    for (const before of ['', `data: ${JSON.stringify(wrapped)}\n\n`]) {
      const text = `${before}${name}data: ${JSON.stringify(body)}\n\n`;
      const caller = await against(way, answering(200, 'text/event-stream', text));
      const stream = await caller.stream('subscribeToTask', TASK, CALL);
      if (before) expect(await stream.next()).toMatchObject({ done: false });
      expect(await errorOf(stream.next())).toMatchObject({ code: 'TASK_NOT_FOUND', message: 'Gone' });
    }
  });

  it.each([404, 405])('subscribes by POST, and by GET after %i [rule:subscribe.client-verb]', async (status) => {
    const verbs: (string | undefined)[] = [];
    const caller = await against(way, (response, request, body) => {
      verbs.push(request.method);
      const text = request.method === 'POST' ? '' : `data: ${JSON.stringify(wrapped)}\n\n`;
      const type = request.method === 'POST' ? 'text/plain' : 'text/event-stream';
      answering(request.method === 'POST' ? status : 200, type, text)(response, request, body);
    });
    expect(await collected(caller.stream('subscribeToTask', TASK, CALL))).toHaveLength(1);
    expect(verbs).toEqual(['POST', 'GET']);
  });

  it('does not ask twice for a task that is not there [rule:subscribe.client-verb]', async () => {
    const verbs: (string | undefined)[] = [];
    const caller = await against(way, (response, request, body) => {
      verbs.push(request.method);
      const gone = { error: { code: 404, status: 'NOT_FOUND', message: 'Gone', details } };
      answering(404, 'application/json', JSON.stringify(gone))(response, request, body);
    });
    expect((await errorOf(caller.stream('subscribeToTask', TASK, CALL))).code).toBe('TASK_NOT_FOUND');
    expect(verbs).toEqual(['POST']);
  });
});
