import { expect, it } from 'vitest';
import { sendParams, type Wire } from '../../support/rpc.ts';
import type { Host } from '../support/host.ts';
import { hosted } from '../support/hosted.ts';

const CARD = '/.well-known/agent-card.json';
const PROXY = {
  'x-forwarded-proto': 'https, http',
  'x-forwarded-host': 'agents.example.com, inner.example.com',
  'x-forwarded-prefix': '/outside/',
};
const PAGE = 'https://app.example.com';

export function mountingContract(host: Host): void {
  if (host.mounts) {
    it('works below a prefix, with addresses on the card that include it', async () => {
      const prefix = '/some/place';
      const { url, base, peer, load } = await hosted(host, { prefix });
      for (const path of [CARD, `/a2a${CARD}`]) {
        const card: Wire = await (await fetch(`${base}${path}`)).json();
        expect(card.url).toBe(`${base}/a2a`);
        expect((await peer.at(card.url).send('Ada')).status.state).toBe('TASK_STATE_COMPLETED');
      }
      const other: Wire = await (await fetch(`${base}/a2a/agents/other${CARD}`)).json();
      expect((await peer.at(other.url).send('hello')).artifacts[0].parts).toEqual([{ text: 'I am the other' }]);
      expect((await peer.stream('SendStreamingMessage', sendParams('Ada'))).length).toBeGreaterThan(2);
      for (const welcome of [base, `${base}/`, `${base}?x=1`]) {
        expect(await (await fetch(welcome)).text()).toContain(`${base}${CARD}`);
      }
      expect((await fetch(`${base}/healthz`)).status).toBe(200);
      for (const path of ['/a2a', '/some', '/some/placebo/a2a', `${prefix}/nowhere`]) {
        expect([path, (await fetch(`${url}${path}`, { method: 'POST' })).status]).toEqual([path, 404]);
      }
      expect((await load()).subscriptions).toBe(0);
    });
  }

  it('believes a proxy only where it is told to', async () => {
    const careful = await hosted(host);
    const plain: Wire = await (await fetch(`${careful.url}${CARD}`, { headers: PROXY })).json();
    expect(plain.url).toBe(`${careful.url}/a2a`);
    const prefix = host.mounts ? '/place' : undefined;
    const trusting = await hosted(host, { prefix, server: { trustProxy: true } });
    const cardFor = async (headers: Readonly<Record<string, string>>): Promise<Wire> =>
      (await fetch(`${trusting.base}${CARD}`, { headers })).json();
    expect((await cardFor(PROXY)).url).toBe(`https://agents.example.com/outside${prefix ?? ''}/a2a`);
    expect((await cardFor({ 'x-forwarded-proto': 'https' })).url).toBe(
      `${trusting.base.replace('http:', 'https:')}/a2a`,
    );
    const nonsense = { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a b', 'x-forwarded-prefix': '//evil"' };
    if (!host.ownForwarding) expect((await cardFor(nonsense)).url).toBe(`${trusting.base}/a2a`);
  });

  it('says nothing to pages of other origins unless it is told to', async () => {
    const { url } = await hosted(host);
    const { headers } = await fetch(`${url}${CARD}`, { headers: { origin: PAGE } });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('answers preflights, and lets pages read what they need [seed:S1.12]', async () => {
    const prefix = host.mounts ? '/place' : undefined;
    const { base } = await hosted(host, { prefix, server: { cors: [PAGE, 'http://localhost:5173'] } });
    const asked = {
      origin: PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'a2a-version',
    };
    const preflight = await fetch(`${base}/a2a`, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, await preflight.text()]).toEqual([204, '']);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-max-age': '600',
    });
    expect(varyOf(preflight, host)).toEqual(['Origin']);
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'authorization', 'a2a-version', 'last-event-id']));

    const card = await fetch(`${base}${CARD}`, { headers: { origin: PAGE } });
    expect(card.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(varyOf(card, host)).toEqual(['A2A-Version', 'Host', 'Origin']);
    const init = {
      method: 'POST',
      headers: { origin: PAGE, 'content-type': 'application/json', 'a2a-version': '1.0' },
    };
    const call = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: sendParams('Ada') };
    for (const body of [JSON.stringify(call), '{']) {
      const response = await fetch(`${base}/a2a`, { ...init, body });
      expect(response.headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(response.headers.get('access-control-expose-headers')).toContain('a2a-protocol-version');
      await response.text();
    }
    const stranger = await fetch(`${base}${CARD}`, { headers: { origin: 'https://evil.example.com' } });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    const varied = stranger.status === 403 ? [] : ['A2A-Version', 'Host'];
    expect(varyOf(stranger, host)).toEqual([...varied, 'Origin']);
  });
}

/** Without what the framework has added. */
function varyOf({ headers }: Response, { ownVary = [] }: Host): string[] {
  const names = headers.get('vary')?.split(/, */) ?? [];
  return names.filter((name) => !ownVary.includes(name.toLowerCase()));
}
