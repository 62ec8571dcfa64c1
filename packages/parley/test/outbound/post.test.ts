import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { OutboundGuard } from '../../src/server/outbound/guard.ts';
import type { OutboundOptions } from '../../src/server/outbound/settings.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

function guarded(options: OutboundOptions = { allow: ['127.0.0.0/8'] }): OutboundGuard {
  const guard = new OutboundGuard(options);
  opened.push(() => guard.close());
  return guard;
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function receiver(answer: (...exchange: Parameters<RequestListener>) => unknown): Promise<number> {
  return listen(createServer(answer));
}

/** A peer that writes these bytes as its response, and says no more. */
async function rawPeer(response: string | ((socket: Socket) => void)): Promise<number> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (typeof response === 'string' ? socket.write(response) : response(socket)));
    }),
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const POST = { headers: { 'content-type': 'application/json' }, body: '{}', timeout: PATIENCE_MS };

describe('a POST', () => {
  it('sends headers and body, and tells status and headers', async () => {
    const port = await receiver(async (request, response) => {
      const { method, url, headers } = request;
      const body = await bodyOf(request);
      response
        .writeHead(202, { 'x-seen': JSON.stringify([method, url, headers.host, headers['x-a'], body]) })
        .end('ok');
    });
    const answer = await guarded().post(`http://127.0.0.1:${port}/hook?a=b#c`, { ...POST, headers: { 'x-a': '1' } });
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.headers['x-seen'] ?? '')).toEqual(['POST', '/hook?a=b', `127.0.0.1:${port}`, '1', '{}']);
  });

  it('goes to the address that was checked, with the name in Host [rule:push.ssrf-connect]', async () => {
    const port = await receiver((request, response) => response.setHeader('x-host', `${request.headers.host}`).end());
    const guard = guarded({ allow: ['hooks.test'], resolve: () => ['127.0.0.1'] });
    const answer = await guard.post(`http://hooks.test:${port}/`, POST);
    expect(answer.headers['x-host']).toBe(`hooks.test:${port}`);
  });

  it('is refused where a name has moved since its URL was checked [rule:push.ssrf-connect]', async () => {
    let calls = 0;
    const port = await receiver((_, response) => {
      calls += 1;
      response.end();
    });
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const guard = guarded({ resolve: () => answers.shift() ?? ['127.0.0.1'] });
    const url = `http://rebinding.test:${port}/`;
    await guard.checkUrl(url);
    await expect(guard.post(url, POST)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('loopback'),
    });
    expect(calls).toBe(0);
  });

  it('asks once for each connection, so that a second answer cannot matter [rule:push.ssrf-connect]', async () => {
    let asked = 0;
    const port = await receiver((_, response) => response.end());
    const guard = guarded({
      allow: ['127.0.0.1'],
      resolve: () => {
        asked += 1;
        return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
      },
    });
    expect((await guard.post(`http://rebinding.test:${port}/`, POST)).status).toBe(200);
    expect(asked).toBe(1);
  });

  it('follows no redirect [rule:push.ssrf-connect]', async () => {
    let calls = 0;
    const port = await receiver((_, response) => {
      calls += 1;
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    });
    expect((await guarded().post(`http://127.0.0.1:${port}/`, POST)).status).toBe(307);
    expect(calls).toBe(1);
  });

  it('uses a connection again, and opens another where the peer has closed it', async () => {
    const sockets = new Set<unknown>();
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      response.end('x'.repeat(1000));
    });
    const port = await listen(server);
    const guard = guarded();
    const send = () => guard.post(`http://127.0.0.1:${port}/`, POST);
    for (let round = 0; round < 5; round += 1) expect((await send()).status).toBe(200);
    expect(sockets.size).toBeLessThan(5);
    const before = sockets.size;
    server.closeAllConnections();
    expect((await send()).status).toBe(200);
    expect(sockets.size).toBe(before + 1);
  });

  it('tells the status although the body never ends, or is endless', async () => {
    const hanging = await rawPeer('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx');
    expect((await guarded().post(`http://127.0.0.1:${hanging}/`, POST)).status).toBe(200);
    const closed = Promise.withResolvers<void>();
    const endless = await rawPeer((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
      const pour = (): void => {
        if (socket.destroyed) return;
        if (socket.write(`8000\r\n${'x'.repeat(0x8000)}\r\n`)) setImmediate(pour);
        else socket.once('drain', pour);
      };
      pour();
    });
    expect((await guarded().post(`http://127.0.0.1:${endless}/`, POST)).status).toBe(500);
    await closed.promise;
  });
});

describe('a POST that gets no response', () => {
  it('ends at its time limit: no head, or one that trickles', async () => {
    const silent = await rawPeer(() => undefined);
    const trickling = await rawPeer((socket) => {
      const timer = setInterval(() => socket.write('x'), 5);
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      socket.on('close', () => clearInterval(timer));
    });
    for (const port of [silent, trickling]) {
      const posted = guarded().post(`http://127.0.0.1:${port}/`, { ...POST, timeout: 50 });
      await expect(posted).rejects.toMatchObject({ code: 'TIMEOUT', message: 'did not respond within 50 ms' });
    }
  });

  it('ends at its time limit where the name does not resolve in time', async () => {
    const guard = guarded({ resolve: () => new Promise(() => undefined) });
    await expect(guard.post('http://slow.test/', { ...POST, timeout: 50 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('ends by its signal', async () => {
    const port = await rawPeer(() => controller.abort());
    const controller = new AbortController();
    const posted = guarded().post(`http://127.0.0.1:${port}/`, { ...POST, signal: controller.signal });
    await expect(posted).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'UNREACHABLE'],
    ['a head that is too large', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 'TOO_LARGE'],
    ['an upgrade', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'UNREACHABLE'],
  ])('is told apart: %s', async (_, response, code) => {
    const port = await rawPeer(response);
    await expect(guarded().post(`http://127.0.0.1:${port}/`, POST)).rejects.toMatchObject({ code });
  });

  it('is told apart: nobody listens, the connection is cut, the name has no address', async () => {
    const port = await rawPeer((socket) => socket.destroy());
    await expect(guarded().post(`http://127.0.0.1:${port}/`, POST)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const free = await rawPeer('');
    await opened.pop()?.();
    const refused = guarded().post(`http://127.0.0.1:${free}/`, POST);
    await expect(refused).rejects.toMatchObject({ code: 'UNREACHABLE', message: 'cannot be reached (ECONNREFUSED)' });
    const nameless = guarded({ resolve: () => [] }).post('http://nameless.test/', POST);
    await expect(nameless).rejects.toMatchObject({ code: 'UNRESOLVED' });
    const broken = guarded({ resolve: () => Promise.reject(new Error('no')) }).post('http://broken.test/', POST);
    await expect(broken).rejects.toMatchObject({ code: 'UNRESOLVED', message: 'has a name without an address' });
  });

  it('is refused with a header that would begin another one', async () => {
    const port = await receiver((_, response) => response.end());
    const posted = guarded().post(`http://127.0.0.1:${port}/`, { ...POST, headers: { 'x-a': 'b\r\nx-c: d' } });
    await expect(posted).rejects.toMatchObject({ code: 'INVALID' });
  });
});
