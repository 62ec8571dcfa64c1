import { describe, expect, it } from 'vitest';
import { head } from '../bad-input/support/raw-socket.ts';
import { listenSubject } from '../bad-input/support/socket-subject.ts';

const CARD = '/.well-known/agent-card.json';

describe('OPTIONS', () => {
  it.each([
    ['/a2a', 'POST, OPTIONS'],
    ['/a2a/tasks', 'GET, HEAD, OPTIONS'],
    ['/a2a/message:send', 'POST, OPTIONS'],
    [CARD, 'GET, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['*', 'GET, HEAD, POST, DELETE, OPTIONS'],
  ])('of %s tells what it takes, and lets no page in', async (path, allow) => {
    const { ask } = await listenSubject();
    const { status, headers, body } = await ask(head(`OPTIONS ${path} HTTP/1.1`, ['A2A-Version: 1.0']));
    expect([status, body]).toEqual([204, '']);
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });

  it('of a path where nothing is tells so', async () => {
    const { ask } = await listenSubject();
    expect((await ask(head('OPTIONS /nowhere HTTP/1.1'))).status).toBe(404);
  });
});

describe('HEAD', () => {
  it.each([
    CARD,
    '/',
    '/healthz',
    '/readyz',
    '/a2a/tasks',
    '/a2a/agents',
  ])('of %s has the headers of GET, and no body', async (path) => {
    const { ask, connect } = await listenSubject();
    const lines = ['A2A-Version: 1.0', 'Connection: close'];
    const got = await ask(head(`GET ${path} HTTP/1.1`, lines));
    const connection = await connect();
    connection.write(head(`HEAD ${path} HTTP/1.1`, lines));
    expect(await connection.closed()).toBe(true);
    const [first = '', ...headers] = connection.received.split('\r\n');
    expect(first).toContain(String(got.status));
    expect(headers.join('\n').toLowerCase()).toContain(`content-length: ${Buffer.byteLength(got.body)}`);
    expect(connection.received.endsWith('\r\n\r\n')).toBe(true);
  });
});
