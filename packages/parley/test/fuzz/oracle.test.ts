import { expect, it } from 'vitest';
import { mutate } from './mutations.ts';
import { problemOf } from './oracle.ts';
import { randomFrom } from './random.ts';

const REQUEST = { name: 'a', method: 'POST', target: '/a2a', headers: {}, body: undefined };
const JSON_TYPE = 'application/json';
const SSE = 'text/event-stream';
const rpc = (body: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...body });

it.each([
  ['a status of the server', 500, JSON_TYPE, rpc({ error: { code: -32602, message: 'x' } })],
  ['an internal error', 200, JSON_TYPE, rpc({ error: { code: -32603, message: 'x' } })],
  ['no JSON', 200, JSON_TYPE, '{"jsonrpc":"2.0"'],
  ['no id', 200, JSON_TYPE, '{"jsonrpc":"2.0","result":{}}'],
  ['result and error', 200, JSON_TYPE, rpc({ result: {}, error: { code: -32602, message: 'x' } })],
  ['no message', 200, JSON_TYPE, rpc({ error: { code: -32602 } })],
  ['an error of HTTP without a message', 400, JSON_TYPE, '{"error":{"code":400}}'],
  ['a long error', 400, JSON_TYPE, JSON.stringify({ error: { code: 400, message: 'x'.repeat(20_000) } })],
  ['an error that is plain text', 400, 'text/plain', 'no'],
  ['no content type', 200, '', '{}'],
  ['a frame of no stream', 200, SSE, 'hello\n\n'],
  ['a frame that is cut', 200, SSE, 'data: {"jsonrpc"\n\n'],
  ['a frame with an internal error', 200, SSE, `data: ${rpc({ error: { code: -32603, message: 'x' } })}\n\n`],
])('%s is a problem', (_, status, type, text) => {
  expect(problemOf(REQUEST, { status, type, text })).toEqual(expect.any(String));
});

it.each([
  [200, JSON_TYPE, rpc({ result: {} })],
  [200, JSON_TYPE, rpc({ error: { code: -32001, message: 'x' } })],
  [404, JSON_TYPE, '{"error":{"code":404,"status":"NOT_FOUND","message":"x"}}'],
  [200, SSE, `: hello\n\nid: 1\ndata: ${rpc({ result: {} })}\n\nretry: 5\n\n`],
  [204, '', ''],
])('%s %s is none', (status, type, text) => {
  expect(problemOf(REQUEST, { status, type, text })).toBeUndefined();
});

it('a seed gives the same requests again', () => {
  const template = { name: 'a', method: 'POST', target: '/a2a/x?y=1', headers: { accept: '*/*' }, body: { a: [1] } };
  const requests = (seed: number) => {
    const random = randomFrom(seed);
    return Array.from({ length: 200 }, () => mutate(template, random));
  };
  expect(requests(5)).toEqual(requests(5));
  expect(requests(5)).not.toEqual(requests(6));
});
