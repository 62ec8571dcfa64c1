import { describe, expect, it } from 'vitest';
import { httpServer } from '../cli/support/elsewhere.ts';
import { checked, idsWith } from './support/checked.ts';

const INTERFACES = [
  ['1.0', 'jsonrpc', 'JSONRPC'],
  ['1.0', 'rest', 'HTTP+JSON'],
  ['0.3', 'jsonrpc', 'JSONRPC'],
  ['0.3', 'rest', 'HTTP+JSON'],
] as const;

/** Rules about the card, and those that are kept by whoever refuses or says nothing over HTTP. */
const OF_CARD_AND_HTTP = /^(?:card\.|version\.no-patch$|security\.|v03\.card|errors\.challenge$)/;

interface Said {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Has a valid card, and says the same to every call. */
async function saying({ status, type, body }: Said, version: string, transport: string) {
  return httpServer((request, response) => {
    // A server that closes the connection has refused.
    if (Number(request.headers['content-length']) > 1e9) request.destroy();
    else request.resume();
    if (!request.url?.includes('/.well-known/')) {
      response.writeHead(status, { 'content-type': type }).end(body);
      return;
    }
    const url = `http://${request.headers.host}/rpc`;
    const old = { url, protocolVersion: '0.3.0', preferredTransport: transport };
    const modern = { supportedInterfaces: [{ url, protocolBinding: transport, protocolVersion: version }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        name: 'page',
        description: 'Says the same to everybody',
        version: '1.0.0',
        ...(version === '0.3' ? old : modern),
        capabilities: { streaming: true, pushNotifications: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'x', name: 'x', description: 'x', tags: ['x'] }],
      }),
    );
  });
}

const PAGE = '<!doctype html><title>Log in</title>';

describe('parley check passes only what it has seen, on a server that says', () => {
  it.each<[string, Said]>([
    ['200 and a page', { status: 200, type: 'text/html', body: PAGE }],
    ['404 and a page', { status: 404, type: 'text/html', body: PAGE }],
    ['400 and a page', { status: 400, type: 'text/html', body: PAGE }],
    ['500 and a word', { status: 500, type: 'text/plain', body: 'oops' }],
    ['an empty stream', { status: 200, type: 'text/event-stream', body: '' }],
  ])('%s', async (_name, said) => {
    for (const [version, binding, transport] of INTERFACES) {
      const { results } = await checked(await saying(said, version, transport), '--timeout', '20');
      const passed = idsWith(results, 'PASS').filter((id) => !OF_CARD_AND_HTTP.test(id));
      expect(passed, `${version} ${binding}`).toEqual([]);
      const reasons = results.flatMap(({ outcomes }) => outcomes.map(({ reason }) => reason ?? ''));
      expect(reasons.filter((reason) => reason.includes('accepted') && said.body === PAGE)).toEqual([]);
    }
  });
});
