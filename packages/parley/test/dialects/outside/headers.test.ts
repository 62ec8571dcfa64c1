import { A2AServer } from 'parley-a2a';
import { type Dialect, type DialectDefinition, v0_3 } from 'parley-a2a/dialects';
import { expect, it } from 'vitest';
import { agentOf } from '../../support/script.ts';

const serving: Dialect = {
  ...(v0_3.serving as Dialect),
  name: 'acme',
  jsonRpcOnly: true,
  signs: { sign: 'X-Acme', isRequest: ({ header }) => header('x-acme') !== undefined },
  quirks: { rpcError: ({ message }) => ({ code: 4242, message }) },
};
const acme: DialectDefinition = { ...v0_3, name: 'acme', serving };

it.each([
  ['is no JSON', { 'x-acme': '1' }, '{', 4242],
  ['is too large', { 'x-acme': '1' }, 'x'.repeat(400), 4242],
  ['is of another type', { 'x-acme': '1', 'content-type': 'text/plain' }, '{}', 4242],
  ['is no JSON and from another client', {}, '{', -32700],
  ['is no JSON, with a version', { 'x-acme': '1', 'a2a-version': '1.0' }, '{', -32700],
])('a dialect that its headers tell has its errors also for a body that %s', async (_, given, body, code) => {
  const server = new A2AServer({ agents: [agentOf(() => 'x')], dialects: [acme], limits: { bodyBytes: 300 } });
  const headers = { 'content-type': 'application/json', ...given };
  const response = await server.fetch(new Request('http://localhost/a2a', { method: 'POST', headers, body }));
  expect(await response.json()).toMatchObject({ id: null, error: { code } });
});
