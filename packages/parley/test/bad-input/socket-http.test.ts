import { describe, expect, it } from 'vitest';
import { sendParams, type Wire } from '../support/rpc.ts';
import { sendBody } from './support/forms.ts';
import { JSONRPC_V1 } from './support/forms-v1.ts';
import { head } from './support/raw-socket.ts';
import { listenSubject, postHead } from './support/socket-subject.ts';

const LIST = 'GET /a2a/tasks HTTP/1.1';
const V1 = 'A2A-Version: 1.0';

describe('headers', () => {
  it('that are too large are refused with 431 [rule:security.limits]', async () => {
    const subject = await listenSubject();
    for (const lines of [
      [`X-Large: ${'x'.repeat(40_000)}`],
      Array.from({ length: 1000 }, (_, index) => `X-${index}: ${'y'.repeat(40)}`),
    ]) {
      const connection = await subject.connect();
      connection.write(head(LIST, [V1, ...lines]));
      expect((await connection.response()).status).toBe(431);
      expect(await connection.closed()).toBe(true);
    }
    await subject.expectHealthy();
  });

  it('that are many are served or refused with 431, and a hundred are served [rule:security.limits]', async () => {
    const subject = await listenSubject();
    for (const count of [100, 1_000, 3_000]) {
      const lines = Array.from({ length: count }, (_, index) => `a${index}: b`);
      const { status } = await subject.ask(head(LIST, [V1, ...lines]));
      expect(count === 100 ? [200] : [200, 431]).toContain(status);
    }
    await subject.expectHealthy();
  });

  it.each([
    ['a NUL', 'X-Odd: a\u0000b'],
    ['a line end alone', 'X-Odd: a\rb'],
    ['no name', ': value'],
    ['a space in its name', 'X Odd: value'],
    ['no colon', 'X-Odd'],
    ['a line that goes on', 'X-Odd: a\r\n b'],
  ])('with %s get an answer, and not from an agent [rule:errors.validate-first]', async (_, line) => {
    const subject = await listenSubject();
    const { status } = await subject.ask(head(LIST, [V1, line]));
    expect([200, 400]).toContain(status);
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });

  it('that a caller makes up never become headers of the answer [rule:errors.code-message]', async () => {
    const subject = await listenSubject();
    const { id } = await subject.peer.send('ask');
    const injections = [
      head(`GET /a2a/tasks/x%0d%0aSet-Cookie:%20a=b HTTP/1.1`, [V1, 'X-Parley-Debug: 1']),
      head(`GET /a2a/x%0d%0aSet-Cookie:%20a=b/tasks HTTP/1.1`, [V1, 'X-Parley-Debug: 1']),
      head(`GET /a2a/tasks?A2A-Version=1.0%0d%0aSet-Cookie:%20a=b HTTP/1.1`, ['X-Parley-Debug: Set-Cookie: a=b']),
      head(`GET /a2a/agents/%0d%0aSet-Cookie:%20a=b HTTP/1.1`, [V1]),
      head(`GET /a2a/tasks/${id} HTTP/1.1`, [V1, 'A2A-Extensions: urn:x, Set-Cookie: a=b', 'Accept: a/b\tSet-Cookie']),
      head(`GET /.well-known/agent-card.json HTTP/1.1`, ['X-Forwarded-Host: a', 'If-None-Match: Set-Cookie: a=b']),
    ];
    for (const request of injections) {
      const { status, headers } = await subject.ask(request);
      expect(status).toBeLessThan(500);
      expect(headers.has('set-cookie')).toBe(false);
      for (const [name, value] of headers) {
        expect(`${name}: ${value}`).not.toMatch(/set-cookie/i);
        expect(name).toMatch(/^[a-z0-9-]+$/);
      }
    }
    for (const odd of ['x\r\nSet-Cookie: a=b', '\u0000', 'é', '\ud800']) {
      const params = sendParams('hi', { messageId: odd, contextId: odd.toWellFormed(), extensions: [odd] });
      for (const method of ['SendMessage', 'SendStreamingMessage', 'GetTask', odd]) {
        const body = JSON.stringify({ jsonrpc: '2.0', id: odd, method, params: { ...params, id: odd } });
        const lines = ['X-Parley-Debug: 1', `Content-Length: ${Buffer.byteLength(body)}`];
        const connection = await subject.connect();
        connection.write(postHead(JSONRPC_V1, lines) + body);
        const { headers, status } = await connection.response();
        expect(status).toBe(200);
        expect(headers.has('set-cookie')).toBe(false);
        expect(headers.get('x-parley-dialect')).toBe('v1_0; header A2A-Version 1.0');
      }
    }
  });

  it.each([
    '-1',
    '1.5',
    'abc',
    '1e3',
    ' ',
    '9'.repeat(30),
    'NaN',
    'é',
    '0x10',
    '1,2',
    "'; --",
  ])('Last-Event-ID of %j starts a stream with the task [rule:errors.code-message]', async (value) => {
    const subject = await listenSubject();
    const { id } = await subject.peer.send('ask');
    const connection = await subject.connect();
    connection.write(
      Buffer.from(head(`GET /a2a/tasks/${id}:subscribe HTTP/1.0`, [V1, `Last-Event-ID: ${value}`]), 'latin1'),
    );
    await expect.poll(() => connection.received).toContain('"task":');
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    connection.socket.destroy();
    await subject.expectHealthy();
  });

  it('may bring an idempotency key of ten kilobytes [rule:errors.code-message]', async () => {
    const subject = await listenSubject();
    const key = `${'k'.repeat(10_000)}`;
    const body = sendBody(JSONRPC_V1);
    const request = postHead(JSONRPC_V1, [`Idempotency-Key: ${key}`, `Content-Length: ${body.length}`]) + body;
    const answers = [await subject.ask(request), await subject.ask(request)].map(({ status, body: text }) => {
      expect(status).toBe(200);
      return JSON.parse(text) as Wire;
    });
    const [first, second] = answers;
    if (first.error) expect(first.error.code).toBe(-32602);
    else expect(second.result.task.id).toBe(first.result.task.id);
    expect(subject.runs()).toBeLessThanOrEqual(1);
    await subject.expectHealthy();
  });
});

describe('requests', () => {
  it.each([
    ['a greeting of TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['words', 'hello\r\n\r\n'],
    ['no version', 'GET /a2a\r\n\r\n'],
    ['another protocol', 'GET /a2a SMTP/1.1\r\n\r\n'],
    ['HTTP/9.9', 'GET /a2a HTTP/9.9\r\n\r\n'],
    ['a verb in small letters', 'get /a2a HTTP/1.1\r\n\r\n'],
    ['an unknown verb', 'EXPLODE /a2a HTTP/1.1\r\n\r\n'],
    ['a space in the path', 'GET /a2a /tasks HTTP/1.1\r\n\r\n'],
    ['NULs', '\u0000\u0000\u0000\u0000\r\n\r\n'],
    ['no Host', 'GET /a2a/tasks HTTP/1.1\r\n\r\n'],
  ])('that are %s are refused or not answered at all, and the connection is closed', async (_, bytes) => {
    const subject = await listenSubject();
    const connection = await subject.connect();
    connection.write(bytes);
    expect(await connection.closed()).toBe(true);
    expect(connection.received).toMatch(/^(HTTP\/1\.1 (4\d\d|505) |$)/);
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });

  it('of HTTP/1.0 are answered, and the connection is closed', async () => {
    const subject = await listenSubject();
    for (const method of ['message:send', 'message:stream']) {
      const connection = await subject.connect();
      const text = JSON.stringify(sendParams('old'));
      const lines = [V1, 'Content-Type: application/json', `Content-Length: ${text.length}`];
      connection.write(head(`POST /a2a/${method} HTTP/1.0`, lines) + text);
      const response = await connection.response();
      expect(response.status).toBe(200);
      expect(response.body).toContain('old');
      expect(await connection.closed()).toBe(true);
    }
    // Without a length there is no body.
    const request = head('POST /a2a HTTP/1.0', [V1, 'Content-Type: application/json']) + sendBody(JSONRPC_V1);
    expect([200, 400]).toContain((await subject.ask(request)).status);
    expect(subject.runs()).toBe(2);
    await subject.expectHealthy();
  });

  it('that come in one packet are answered in their order, the wrong ones too', async () => {
    const subject = await listenSubject();
    const rpc = (id: number, method: string, params: unknown) => {
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      return postHead(JSONRPC_V1, [`Content-Length: ${text.length}`]) + text;
    };
    const connection = await subject.connect();
    const requests = Array.from({ length: 20 }, (_, index) =>
      index % 3 === 0
        ? rpc(index, 'SendMessage', sendParams(`text ${index}`))
        : rpc(index, index % 3 === 1 ? 'GetTask' : 'Nothing', {}),
    );
    connection.write(requests.join(''));
    for (let index = 0; index < requests.length; index += 1) {
      const { status, body } = await connection.response();
      const answer: Wire = JSON.parse(body);
      expect([status, answer.id]).toEqual([200, index]);
      expect(answer.error?.code).toBe([undefined, -32602, -32601][index % 3]);
    }
    await subject.expectHealthy();
  });

  it.each([
    ['for a proxy', 'GET http://localhost/a2a/tasks HTTP/1.1', 200],
    ['for a proxy, with another host', 'GET https://other.example:8443/a2a/tasks?pageSize=1 HTTP/1.1', 200],
    ['for the whole server', 'OPTIONS * HTTP/1.1', 204],
    ['for two slashes', 'GET //a2a/tasks HTTP/1.1', 404],
    ['with a fragment', 'GET /a2a/tasks#x HTTP/1.1', 404],
    ['with bytes beyond ASCII', 'GET /a2a/tasks/gr\u00fcn HTTP/1.1', 404],
    ['with broken escapes', 'GET /a2a/tasks/%zz%1 HTTP/1.1', 404],
    ['that climb', 'GET /a2a/../../etc/passwd HTTP/1.1', 404],
  ])('%s are understood', async (_, line, status) => {
    const subject = await listenSubject();
    const connection = await subject.connect();
    connection.write(Buffer.from(head(line, [V1]), 'latin1'));
    const response = await connection.response();
    expect([status, 400]).toContain(response.status);
    if (status === 200) expect(JSON.parse(response.body).tasks).toEqual([]);
    await subject.expectHealthy();
  });

  it.each([
    ['an upgrade', head(LIST, [V1, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: eA=='])],
    [
      'an upgrade to HTTP/2',
      head(LIST, [V1, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: x']),
    ],
    ['trailers', head(LIST, [V1, 'TE: trailers', 'Trailer: X-Odd'])],
    ['an expectation that nobody meets', head(LIST, [V1, 'Expect: the-impossible'])],
    ['a body for GET', `${head(LIST, [V1, 'Content-Length: 5'])}hello`],
  ])('that want %s get an answer', async (_, request) => {
    const subject = await listenSubject();
    expect([200, 417]).toContain((await subject.ask(request)).status);
    await subject.expectHealthy();
  });

  it('for a tunnel are closed', async () => {
    const subject = await listenSubject();
    const connection = await subject.connect();
    connection.write(head('CONNECT example.com:443 HTTP/1.1'));
    expect(await connection.closed()).toBe(true);
    expect(connection.received).not.toContain(' 200 ');
    await subject.expectHealthy();
  });
});
