import { describe, expect, it } from 'vitest';
import { Sessions } from '../../src/bridges/mcp/serving/http/sessions.ts';
import { worker } from './support/agents.ts';
import { placesOf } from './support/served.ts';
import { httpBridgeTo } from './support/task-client.ts';

const clientInfo = { name: 'test', version: '1' };
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};
const LIST = { id: 2, method: 'tools/list' };

describe('sessions of clients of 2025-11-25 over HTTP', () => {
  const { agent, seen } = worker();
  const { parts } = httpBridgeTo(placesOf([agent]).places);
  let now = 0;

  function client(sessions: Sessions) {
    let session: string | null = null;
    const send = async (message: object) => {
      const body = { jsonrpc: '2.0', ...message };
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...(session !== null && { 'mcp-session-id': session }),
      };
      const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
      const response = await sessions.handle(request, body);
      session ??= response.headers.get('mcp-session-id');
      return response;
    };
    return { send, begin: async () => (await send(INITIALIZE)).status, list: async () => (await send(LIST)).status };
  }

  it('end for new ones where there are too many: first those that were quiet for the longest', async () => {
    const sessions = new Sessions(parts, { now: () => now, most: 2 });
    const [first, second, third] = [client(sessions), client(sessions), client(sessions)];
    for (const one of [first, second]) {
      now += 1;
      expect(await one.begin()).toBe(200);
    }
    now += 1;
    expect(await first.list()).toBe(200);
    expect(await third.begin()).toBe(200);
    expect(await second.list()).toBe(404);
    expect(await first.list()).toBe(200);
    expect(sessions.size).toBe(2);
    await sessions.close();
  });

  it('end after a quiet hour, but not in the middle of a call', async () => {
    const sessions = new Sessions(parts, { now: () => now, most: 2 });
    const [busy, quiet, late] = [client(sessions), client(sessions), client(sessions)];
    await busy.begin();
    await quiet.begin();
    const params = { name: 'worker', arguments: { message: 'go' } };
    await busy.send({ id: 3, method: 'tools/call', params });
    await expect.poll(() => seen.length).toBe(1);
    now += 3_600_001;
    expect(await late.begin()).toBe(200);
    expect(await quiet.list()).toBe(404);
    expect(await busy.list()).toBe(200);
    await late.send({ id: 3, method: 'tools/call', params });
    await expect.poll(() => seen.length).toBe(2);
    expect(await client(sessions).begin()).toBe(503);
    await sessions.close();
    await parts.cancellations.settled();
  });
});
