import { A2AServer, defineAgent } from 'parley-a2a';
import { expect, it } from 'vitest';
import { SPEAKERS_MOUNTS } from '../../support/speakers.ts';

const BASE = 'http://agents.test';

const agent = defineAgent({
  name: 'writer',
  description: 'Writes',
  version: '1.0.0',
  skills: [{ id: 'write', name: 'Write', description: 'Writes', tags: ['text'], scopes: ['text:write'] }],
  run: ({ text }) => text,
});

const server = new A2AServer({
  agents: [agent],
  url: BASE,
  mounts: SPEAKERS_MOUNTS,
  console: true,
  auth: { type: 'bearer', validate: () => ({ subject: 'alice', scopes: [] }) },
});

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] };
const OLDER = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'go' }] };
const OLDEST = { role: 'user', parts: [{ type: 'text', text: 'go' }] };

function rpc(method: string, message: unknown) {
  return { jsonrpc: '2.0', id: 1, method, params: { message } };
}

it.each([
  ['JSON-RPC 1.0', '/a2a', rpc('SendMessage', MESSAGE), '1.0', 'text:write'],
  ['JSON-RPC 0.3', '/a2a', rpc('message/send', OLDER), '0.3', 'text:write'],
  ['HTTP+JSON 1.0', '/a2a/message:send', { message: MESSAGE }, '1.0', 'text:write'],
  ['HTTP+JSON 0.3', '/a2a/v1/message:send', { message: OLDER }, '0.3', 'text:write'],
  ['the root', '/v1/message:send', { message: OLDER }, '0.3', 'text:write'],
  ['JAF', '/jaf', rpc('message/send', OLDER), undefined, 'text:write'],
  ['rxjs', '/api/a2a', rpc('message/send', OLDER), undefined, 'text:write'],
  ['cogitator', '/cogitator', rpc('message/send', OLDEST), undefined, 'text:write'],
  ['operators', '/a2a/operator', rpc('ListTasks', undefined), '1.0', 'parley:operator'],
  ["operators' resources", '/a2a/operator/tasks', undefined, undefined, 'parley:operator'],
])('a 403 says in WWW-Authenticate which scope is missing: %s', async (_, path, body, version, scope) => {
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer x',
    ...(version && { 'a2a-version': version }),
  };
  const method = body === undefined ? 'GET' : 'POST';
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await server.fetch(new Request(`${BASE}${path}`, init));
  expect(response.status).toBe(403);
  const challenge = response.headers.get('www-authenticate');
  expect(challenge).toContain('error="insufficient_scope"');
  expect(challenge).toContain(`scope="${scope}"`);
});
