import * as root from 'parley-a2a';
import * as compat from 'parley-a2a/compat';
import { describe, expect, it } from 'vitest';

const request = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: {} } };
const { createErrorResponse, createSuccessResponse, isValidRequest, parseJsonRpcRequest } = compat;

function refusal(body: unknown): unknown {
  try {
    parseJsonRpcRequest(body);
  } catch (error) {
    return error;
  }
  throw new Error('This was not refused');
}

describe('JSON-RPC (S3, Task 3) [seed:S3.3]', () => {
  it('parses a request with method, params and id, as text too', () => {
    expect(parseJsonRpcRequest(request)).toEqual(request);
    expect(parseJsonRpcRequest(JSON.stringify(request))).toEqual(request);
  });

  it('parses a batch', () => {
    expect(parseJsonRpcRequest([request, { ...request, id: 'two' }])).toHaveLength(2);
  });

  it.each([
    ['no jsonrpc', { id: 1, method: 'message/send' }, -32600],
    ['another jsonrpc', { ...request, jsonrpc: '1.0' }, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600],
    ['a method that is no text', { ...request, method: 5 }, -32600],
    ['an id that is none', { ...request, id: {} }, -32600],
    ['an empty batch', [], -32600],
    ['a batch with something else', [request, 5], -32600],
    ['a number', 5, -32600],
    ['null', null, -32600],
    ['nothing', undefined, -32700],
    ['broken text', '{"jsonrpc":', -32700],
  ])('refuses %s', (_, body, code) => {
    const error = refusal(body);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code });
    expect(isValidRequest(body)).toBe(false);
  });

  it('tells requests from anything else', () => {
    expect(isValidRequest(request)).toBe(true);
    expect(isValidRequest([request])).toBe(false);
  });

  it('makes responses', () => {
    expect(createSuccessResponse(1, { ok: true })).toEqual({ jsonrpc: '2.0', id: 1, result: { ok: true } });
    expect(createErrorResponse('a', { code: -32001, message: 'No task' })).toStrictEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32001, message: 'No task' },
    });
    expect(createErrorResponse(null, compat.taskNotFound('task_123'))).toMatchObject({
      id: null,
      error: { code: -32001, data: { taskId: 'task_123' } },
    });
    const own = new root.A2AError('TASK_NOT_FOUND', 'Task not found', { metadata: { taskId: 't' } });
    expect(createErrorResponse(1, own).error).toEqual({
      code: -32001,
      message: 'Task not found',
      data: { taskId: 't' },
    });
  });
});

describe('the error factories (S3, Task 4) [seed:S3.2]', () => {
  it.each([
    [compat.taskNotFound('task_123'), -32001, 'task_123'],
    [compat.taskNotCancelable('task_123'), -32002, 'task_123'],
    [compat.pushNotificationsNotSupported(), -32003, 'Push notifications'],
    [compat.unsupportedOperation('tasks/list'), -32004, 'tasks/list'],
    [compat.contentTypeNotSupported('image/png'), -32005, 'image/png'],
    [compat.invalidAgentResponse('no parts'), -32006, 'no parts'],
    [compat.parseError(), -32700, 'JSON'],
    [compat.invalidRequest(), -32600, 'Request'],
    [compat.methodNotFound('message/fly'), -32601, 'message/fly'],
    [compat.invalidParams('id is required'), -32602, 'id is required'],
    [compat.internalError('out of tokens'), -32603, 'out of tokens'],
  ])('%j', (error, code, words) => {
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(Object.keys(error).every((name) => ['code', 'message', 'data'].includes(name))).toBe(true);
    // What they make can be sent as it is.
    expect(createErrorResponse(1, error).error).toEqual(error);
  });

  it('are names of this entry alone: the root has its own, and none of these', () => {
    const shared = ['A2AClient', 'A2AServer'];
    expect(Object.keys(compat).filter((name) => name in root)).toEqual(shared);
  });
});
