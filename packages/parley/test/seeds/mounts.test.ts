import { A2AServer } from 'parley-a2a';
import type { Mount } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const echo = agentOf((task) => `You said ${task.text}`, { name: 'echo' });
const other = agentOf(() => 'I am the other one', { name: 'other' });

function serverWith(mounts?: readonly Mount[]): A2AServer {
  const server = new A2AServer({ agents: [echo, other], mounts });
  onTestFinished(() => server.close());
  return server;
}

async function call(server: A2AServer, path: string, method: string, params: object, headers: object = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const all = { 'content-type': 'application/json', 'x-parley-debug': '1', ...headers };
  const response = await server.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers: all, body }));
  const { result, error } = JSON.parse((await response.text()).replace(/^[^{]*/, '').split('\n')[0] ?? '');
  return { status: response.status, spoken: response.headers.get('x-parley-dialect')?.split(';')[0], result, error };
}

const get = async (server: A2AServer, path: string, headers: Record<string, string> = {}) => {
  const response = await server.fetch(new Request(`http://localhost${path}`, { headers }));
  return { status: response.status, body: (await response.json()) as Wire };
};

const MESSAGE = { message: { kind: 'message', role: 'user', messageId: 'm-1', parts: [{ kind: 'text', text: 'hi' }] } };

describe('mounts', () => {
  it('are there where the documents have them (S0.20) (S2.2) (S4.5)', async () => {
    const server = serverWith();
    expect((await call(server, '/api/a2a', 'message/send', MESSAGE)).spoken).toBe('rxjs');
    expect((await call(server, '/api/a2a/', 'message/send', MESSAGE)).spoken).toBe('rxjs');
    expect((await call(server, '/a2a/v1', 'message/send', MESSAGE)).spoken).toBe('banterop');
    expect((await call(server, '/a2a/stream', 'GetTask', { id: 'none' })).spoken).toBe('v1_draft-stream');
    expect((await call(server, '/a2a', 'message/send', MESSAGE)).spoken).toBe('v0_3');
  });

  it('can be pinned to a dialect, the base path too, with the agents below', async () => {
    const server = serverWith([
      { path: '/a2a', dialect: 'jaf' },
      { path: '/old', dialect: '0.3', agent: 'other' },
    ]);
    expect((await call(server, '/a2a', 'message/send', MESSAGE)).spoken).toBe('jaf');
    expect((await call(server, '/a2a/agents/other', 'message/send', MESSAGE)).spoken).toBe('jaf');
    expect((await call(server, '/old', 'message/send', MESSAGE)).spoken).toBe('v0_3');
    expect((await call(server, '/old', 'SendMessage', MESSAGE)).error.code).toBe(-32601);
    expect((await get(server, '/old/.well-known/agent-card.json')).body).toMatchObject({
      name: 'other',
      url: 'http://localhost/old',
    });
  });

  it('keep HTTP+JSON below a mount of an official version, in that version', async () => {
    const server = serverWith([{ path: '/new', dialect: '1.0' }]);
    expect((await get(server, '/new/tasks/none')).body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' });
    expect((await get(server, '/new/v1/tasks/none')).status).toBe(404);
  });

  it('speak no other version than their own', async () => {
    const { error } = await call(serverWith(), '/api/a2a', 'message/send', MESSAGE, { 'a2a-version': '1.0' });
    expect(error).toMatchObject({ code: -32009 });
  });

  it('refuse settings that make no sense', () => {
    expect(() => serverWith([{ path: '/a', dialect: 'klingon' as '1.0' }])).toThrow(/no dialect "klingon".*jaf/);
    expect(() => serverWith([{ path: '/a', dialect: 'jaf', agent: 'nobody' }])).toThrow(/"nobody".*echo, other/);
    const twice: Mount = { path: '/a', dialect: 'jaf' };
    expect(() => serverWith([twice, { ...twice, path: '/a/' }])).toThrow(/Two mounts have the path \/a/);
    for (const path of ['/readyz', '/livez/', '/metrics', '/console/jaf', '/.well-known', '.well-known/jaf']) {
      expect(() => serverWith([{ path, dialect: 'jaf' }])).toThrow('is an address of the server itself');
    }
    for (const path of ['/a?b', '/a#b', '/a b']) {
      expect(() => serverWith([{ path, dialect: 'jaf' }])).toThrow(`The mount ${path} is no path`);
    }
    expect(() => serverWith([{ path: '/consoles', dialect: 'jaf' }])).not.toThrow();
  });
});

describe('the agents of a server (S1.1)', () => {
  it('are listed, each with its address and its card', async () => {
    const { body } = await get(serverWith(), '/a2a/agents');
    expect(body.agents.map((agent: { name: string }) => agent.name)).toEqual(['echo', 'other']);
    expect(body.agents[1]).toMatchObject({
      url: 'http://localhost/a2a/agents/other',
      card: 'http://localhost/a2a/agents/other/card',
    });
  });

  it('show their card at their address, at /card and at the well-known address', async () => {
    const server = serverWith();
    expect((await get(server, '/a2a/agents/other')).body.name).toBe('other');
    expect((await get(server, '/a2a/agents/other/card')).body.name).toBe('other');
    expect((await get(server, '/.well-known/agent-card')).body.name).toBe('echo');
    expect((await get(server, '/a2a/agents/nobody')).status).toBe(404);
    expect((await get(server, '/a2a/agents/nobody/card')).status).toBe(404);
    expect((await get(server, '/a2a/health')).body).toEqual({ status: 'ok' });
  });

  it('are all on the list of cards at the older address (S3.10)', async () => {
    const server = serverWith();
    const { body } = await get(server, '/.well-known/agent.json');
    expect(body.map((card: { name: string }) => card.name)).toEqual(['echo', 'other']);
    const asked = await get(server, '/.well-known/agent.json', { 'a2a-version': '0.3' });
    expect(asked.body).toMatchObject({ name: 'echo', protocolVersion: '0.3.0' });
  });

  it('that are not there are told in JSON-RPC', async () => {
    const { status, error } = await call(serverWith(), '/a2a/agents/nobody', 'message/send', MESSAGE);
    expect(status).toBe(404);
    expect(error.message).toContain('There is: echo, other');
  });
});
