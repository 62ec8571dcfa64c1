import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { A2AServer, type A2AServerOptions, serve } from 'parley-a2a';
import { apiKeys, hashKey, mtls } from 'parley-a2a/auth';
import { a2aNode } from 'parley-a2a/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentOf } from '../../support/script.ts';

const FOLDER = join(import.meta.dirname, '../support/tls');
const fileOf = (name: string) => join(FOLDER, name);
const pem = (name: string) => readFileSync(fileOf(name), 'utf8');

const teller = agentOf(({ user }) => user.subject);
const TLS = { cert: pem('server.pem'), key: pem('server.key') };
const GUARDED = { ...TLS, ca: pem('ca.pem') };

function server(options: Partial<A2AServerOptions> = {}): A2AServer {
  const made = new A2AServer({ agents: [teller], log: { error: () => {}, warn: () => {} }, ...options });
  onTestFinished(() => made.close());
  return made;
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly challenge: string | undefined;
}

/** Sends a message over TLS, with the certificate of a client or without. */
function send(url: string, client?: 'alice' | 'mallory', headers: Record<string, string> = {}): Promise<Reply> {
  const identity = client && { cert: pem(`${client}.pem`), key: pem(`${client}.key`) };
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Who am I?' }] };
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers };
    const options = { method: 'POST', ca: pem('ca.pem'), agent: false, headers: all, ...identity };
    const outgoing = request(`${url}/a2a`, options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body, challenge: response.headers['www-authenticate'] }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }));
  });
}

describe('listen({ tls })', () => {
  it.each([
    ['PEM', TLS],
    ['files', { cert: fileOf('server.pem'), key: fileOf('server.key') }],
  ])('serves HTTPS with %s, and cards say so', async (_, tls) => {
    const { url = '' } = await server().listen({ port: 0, tls });
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const card = await new Promise<string>((resolve, reject) => {
      request(`${url}/.well-known/agent-card.json`, { ca: pem('ca.pem'), agent: false }, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      })
        .on('error', reject)
        .end();
    });
    expect(card).toContain(`${url}/a2a`);
    expect((await send(url)).status).toBe(200);
  });

  it('is an option of serve too', async () => {
    const served = await serve(teller, { port: 0, tls: TLS });
    onTestFinished(() => served.close());
    expect(served.url).toMatch(/^https:/);
  });

  it('says which file cannot be read', async () => {
    await expect(server().listen({ port: 0, tls: { ...TLS, key: 'no-such.key' } })).rejects.toThrow(
      /^tls\.key: there is no file no-such\.key; give the path of a PEM file with the certificate's private key$/,
    );
  });

  it('asks every client for a certificate of the authority', async () => {
    const { url = '' } = await server().listen({ port: 0, tls: GUARDED });
    expect((await send(url, 'alice')).status).toBe(200);
    await expect(send(url)).rejects.toThrow();
    await expect(send(url, 'mallory')).rejects.toThrow();
  });

  it('stops while a connection is in the middle of its handshake', async () => {
    const made = server();
    const { url = '' } = await made.listen({ port: 0, tls: TLS });
    const socket = connectTcp(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    await made.close();
    socket.destroy();
  });
});

describe('mtls()', () => {
  it('tells callers by certificates that the authority has signed', async () => {
    const { url = '' } = await server({ auth: mtls() }).listen({ port: 0, tls: GUARDED });
    const known = await send(url, 'alice');
    expect([known.status, known.body]).toEqual([200, expect.stringContaining('O=Acme,CN=alice')]);
    for (const client of [undefined, 'mallory'] as const) {
      const refused = await send(url, client);
      expect([refused.status, refused.challenge]).toEqual([401, 'ClientCertificate realm="a2a"']);
    }
  });

  it('stands beside other ways', async () => {
    const key = 'a-key-that-is-long-enough-to-be-random';
    const keys = apiKeys({ keys: [{ id: 'a', hash: await hashKey(key), subject: 'ada' }] });
    const { url = '' } = await server({ auth: [mtls(), keys] }).listen({ port: 0, tls: GUARDED });
    expect((await send(url, undefined, { 'x-api-key': key })).body).toContain('"ada"');
    expect((await send(url, 'alice')).body).toContain('CN=alice');
  });

  it('works through the adapter of Node', async () => {
    const settings = { ...GUARDED, requestCert: true, rejectUnauthorized: false };
    const host = createServer(settings, a2aNode(server({ auth: mtls() })));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void host.close());
    const url = `https://127.0.0.1:${(host.address() as AddressInfo).port}`;
    expect((await send(url, 'alice')).body).toContain('CN=alice');
    expect((await send(url, 'mallory')).status).toBe(401);
  });

  it('is refused where nobody could prove anything, or any authority could', async () => {
    for (const tls of [undefined, TLS]) {
      await expect(server({ auth: mtls() }).listen({ port: 0, tls })).rejects.toThrow(
        /needs listen\(\{ tls: \{ cert, key, ca/,
      );
    }
  });
});

describe('a server without auth', () => {
  it.each([
    '0.0.0.0',
    '::',
    '',
    '192.0.2.1',
    'example.com',
    '::ffff:192.0.2.1',
    '127.0.0.1.example.com',
  ])('does not listen on "%s"', async (host) => {
    await expect(server().listen({ port: 0, host })).rejects.toThrow(/has no auth: give it auth.*open: true/);
  });

  it.each(['127.0.0.1', '127.0.0.2', 'localhost'])('listens on %s', async (host) => {
    expect((await server().listen({ port: 0, host })).url).toMatch(/^http:/);
  });

  it('listens anywhere where it is open on purpose, or asks who calls', async () => {
    const host = '0.0.0.0';
    expect((await server({ open: true }).listen({ port: 0, host })).url).toMatch(/^http:/);
    const auth = { type: 'bearer', validate: () => false } as const;
    expect((await server({ auth }).listen({ port: 0, host })).url).toMatch(/^http:/);
    const served = await serve(teller, { port: 0, host, open: true });
    await served.close();
  });
});
