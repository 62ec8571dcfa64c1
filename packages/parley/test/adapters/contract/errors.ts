import { Agent } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { sendParams } from '../../support/rpc.ts';
import type { Host } from '../support/host.ts';
import { hosted } from '../support/hosted.ts';
import { httpRequest } from '../support/http-request.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

export function errorsContract(host: Host): void {
  it('answers what is not JSON in the shape of the binding', async () => {
    const { base, peer } = await hosted(host);
    const rpc = await peer.post('{"jsonrpc": ');
    expect([rpc.status, ((await rpc.json()) as Wire).error.code]).toEqual([200, -32700]);
    const rest = await fetch(`${base}/a2a/message:send`, { method: 'POST', headers: JSON_TYPE, body: '{"message": ' });
    expect([rest.status, ((await rest.json()) as Wire).error.code]).toEqual([400, 400]);
    const empty = await fetch(`${base}/a2a`, { method: 'POST', headers: JSON_TYPE });
    expect(((await empty.json()) as Wire).error.code).toBe(-32700);
  });

  it('refuses other media types as the protocol says', async () => {
    const { peer } = await hosted(host);
    const answer: Wire = await (await peer.post('hello', { 'content-type': 'text/plain' })).json();
    expect(answer.error.code).toBe(-32005);
  });

  it('names the methods of an address that has others', async () => {
    const { base } = await hosted(host);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(`${base}/a2a`, { method });
      const allow = host.ownMethods?.includes(method) ? null : 'POST';
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, allow]);
      await response.body?.cancel();
    }
    const options = await fetch(`${base}/a2a`, { method: 'OPTIONS' });
    if (!host.ownMethods?.includes('OPTIONS')) {
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    }
    await options.body?.cancel();
    const card = await fetch(`${base}/.well-known/agent-card.json`, { method: 'POST', headers: JSON_TYPE, body: '{}' });
    expect([card.status, card.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('names the agents that there are', async () => {
    const { base, peer } = await hosted(host);
    const answer = await peer.at(`${base}/a2a/agents/nobody`).request('SendMessage', sendParams('hello'));
    expect(answer.status).toBe(404);
    expect(((await answer.json()) as Wire).error.message).toContain('test, other');
  });

  if (host.isApp) {
    it('leaves all other addresses to the app', async () => {
      const { url } = await hosted(host);
      for (const path of ['/own', '/healthz']) expect(await (await fetch(`${url}${path}`)).text()).toBe('the app');
      for (const path of ['/', '/nowhere', '/v1/users', '/a2abc', '/.well-known/other.json']) {
        for (const method of ['GET', 'POST']) {
          const response = await fetch(`${url}${path}`, { method });
          expect([path, response.status]).toEqual([path, 404]);
          expect(await response.text()).not.toMatch(/A2A|Operations|NOT_FOUND/);
        }
      }
    });
  }

  if (!host.isApp) {
    it('says where operations are', async () => {
      const { url } = await hosted(host);
      const response = await fetch(`${url}/nowhere`);
      expect([response.status, ((await response.json()) as Wire).error.status]).toEqual([404, 'NOT_FOUND']);
    });
  }

  it('keeps a connection in use after errors', async () => {
    const { url } = await hosted(host);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ports = new Set<number | undefined>();
    const call = async (method: string, path: string, body: string) => {
      const reply = await httpRequest(`${url}${path}`, { method, agent, headers: JSON_TYPE }, body);
      ports.add(reply.localPort);
      return reply;
    };
    const good = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('Ada') });
    expect((await call('POST', '/a2a', '{"jsonrpc": ')).body).toContain('-32700');
    expect((await call('PUT', '/a2a', good)).status).toBe(405);
    expect((await call('POST', '/.well-known/agent-card.json', good)).status).toBe(405);
    expect((await call('POST', '/a2a/agents/nobody', good)).status).toBe(404);
    expect((await call('POST', '/nowhere', good)).status).toBe(404);
    expect((await call('POST', '/a2a', good)).body).toContain('Hello, Ada!');
    expect(ports.size).toBe(1);
  });
}
