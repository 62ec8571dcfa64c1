import { expect, it } from 'vitest';
import { allOf, assembledTexts } from '../../interop/support/events.ts';
import { sending } from '../../interop/support/messages.ts';
import { ROWS } from '../../interop/support/rows.ts';
import { connect } from '../../interop/support/sdk.ts';
import type { Wire } from '../../support/rpc.ts';
import type { Host } from '../support/host.ts';
import { hosted } from '../support/hosted.ts';

const CARD = '/.well-known/agent-card.json';
const CATALOG = '/.well-known/ai-catalog.json';
const KEYS = '/.well-known/jwks.json';

export function servingContract(host: Host): void {
  it('serves cards with addresses that work', async () => {
    const { url, peer } = await hosted(host);
    const response = await fetch(`${url}${CARD}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const card: Wire = await response.json();
    expect(card.supportedInterfaces[0]).toMatchObject({ url: `${url}/a2a`, protocolBinding: 'JSONRPC' });
    const other: Wire = await (await fetch(`${url}/a2a/agents/other${CARD}`)).json();
    expect(other.url).toBe(`${url}/a2a/agents/other`);
    expect((await peer.at(other.url).send('hello')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('revalidates cards', async () => {
    const { url } = await hosted(host);
    const etag = (await fetch(`${url}${CARD}`)).headers.get('etag') ?? '';
    const again = await fetch(`${url}${CARD}`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('answers HEAD as GET without the body', async () => {
    const { url } = await hosted(host);
    const whole = await fetch(`${url}${CARD}`);
    const head = await fetch(`${url}${CARD}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect(head.headers.get('content-type')).toBe('application/json');
  });

  it('answers with and without a slash at the end', async () => {
    const { url, peer } = await hosted(host);
    for (const path of [CARD, '/.well-known/agent.json', CATALOG, KEYS, '/a2a/health', `/a2a/agents/other${CARD}`]) {
      for (const address of [path, `${path}/`]) {
        const response = await fetch(`${url}${address}`, { redirect: 'manual' });
        expect([address, response.status]).toEqual([address, 200]);
        await response.body?.cancel();
      }
    }
    for (const path of ['/a2a', '/a2a/', '/a2a/agents/other', '/a2a/agents/other/']) {
      expect((await peer.at(path).send('hello')).status.state).toBe('TASK_STATE_COMPLETED');
    }
  });

  it('answers every version and binding', async () => {
    const { url, peer } = await hosted(host);
    expect((await peer.send('Ada')).artifacts[0].parts).toEqual([{ text: 'Hello, Ada!' }]);
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Ada' }] };
    const rest = await post(`${url}/a2a/message:send`, { message }, { 'a2a-version': '1.0' });
    expect(rest.task.artifacts[0].parts).toEqual([{ text: 'Hello, Ada!' }]);
    const older = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'Ada' }] };
    const rpc = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: older } };
    expect((await post(`${url}/a2a`, rpc)).result).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    const wrapped = await post(`${url}/a2a/v1/message:send`, { message: older });
    const bare = await post(`${url}/v1/message:send`, { message: older });
    expect([wrapped.task.status.state, bare.status.state]).toEqual(['completed', 'completed']);
    const task = await fetch(`${url}/a2a/tasks/${rest.task.id}?historyLength=0`, { headers: { 'a2a-version': '1.0' } });
    expect(await task.json()).toMatchObject({ id: rest.task.id });
  });

  it.each(ROWS)('streams to the client of the official SDK, $version over $binding', async (row) => {
    const { url } = await hosted(host);
    const { client } = await connect({ url }, row);
    expect(assembledTexts(await allOf(client.sendMessageStream(sending('Ada'))), row)).toEqual(['Hello, Ada!']);
  });
}

async function post(url: string, body: Wire, headers: Readonly<Record<string, string>> = {}): Promise<Wire> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(url, { ...init, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return response.json();
}
