import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as dialTls, type PeerCertificate } from 'node:tls';
import { A2AClient, A2AServer, type A2AServerOptions, defineAgent } from 'parley-a2a';
import { mtls, validated } from 'parley-a2a/auth';
import { grpc } from 'parley-a2a/grpc';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GrpcClientOptions } from '../../src/bindings/grpc/calling/options.ts';
import { RawClient } from '../grpc/support/raw-client.ts';

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../auth/support/tls', name), 'utf8');
const renewedPem = (name: string) => readFileSync(join(import.meta.dirname, '../adapters/support/tls', name), 'utf8');

const SERVER = { cert: pem('server.pem'), key: pem('server.key'), ca: pem('ca.pem') };
const ALICE = { cert: pem('alice.pem'), key: pem('alice.key') };
const MALLORY = { cert: pem('mallory.pem'), key: pem('mallory.key') };

const whoami = defineAgent({
  name: 'whoami',
  description: 'Tells who calls',
  version: '1.0.0',
  extendedCard: { description: 'Tells who calls, to those who are known' },
  run: (task) => task.user.subject || 'nobody',
});
const other = defineAgent({ name: 'other', description: 'Another one', version: '1.0.0', run: () => 'other' });

async function serve(options: Partial<A2AServerOptions>, tls?: typeof SERVER): Promise<A2AServer> {
  const server = new A2AServer({ agents: [whoami], drainTimeout: 0, ...options });
  await server.listen({ port: 0, ...(tls && { tls }) });
  onTestFinished(() => server.close());
  return server;
}

const secure = () => serve({ auth: mtls(), grpc: { port: 0 } }, SERVER);

const NO_RETRIES = { retry: { attempts: 1 }, reconnect: { attempts: 1 } } as const;

/** The card comes without a socket: it is gRPC whose certificates are looked at. */
const connect = (server: A2AServer, options: GrpcClientOptions) =>
  A2AClient.connect(server.url ?? '', {
    prefer: { binding: 'GRPC' },
    bindings: [grpc(options)],
    fetch: (input, init) => server.fetch(new Request(input, init)),
    ...NO_RETRIES,
  });

describe('a client over TLS', () => {
  it('is known by its certificate', async () => {
    const agent = await connect(await secure(), { tls: { ca: SERVER.ca, ...ALICE } });
    expect(await agent.run('who')).toContain('alice');
  });

  it.each([
    ['no certificate', {}],
    ['one of another authority', MALLORY],
  ])('with %s is told to prove who it is', async (_, own) => {
    const agent = await connect(await secure(), { tls: { ca: SERVER.ca, ...own } });
    await expect(agent.run('who')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it.each([
    ['another authority than the server has', { ca: renewedPem('renewed.pem'), ...ALICE }],
    ['the authorities of the runtime alone', ALICE],
  ])('that trusts %s says what is wrong with the certificate', async (_, tls) => {
    const agent = await connect(await secure(), { tls });
    await expect(agent.run('who')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/^No connection to 127\.0\.0\.1:\d+: .*certificate/),
      // By its code the command line finds words for it.
      cause: { code: 'FailedToOpenSocket', cause: { code: expect.stringMatching(/CERT|LEAF/) } },
    });
  });

  it('that speaks without TLS gets no connection', async () => {
    const agent = await connect(await secure(), { tls: false });
    await expect(agent.run('who')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/: it was closed as it was made; the port may expect TLS$|ECONNRESET/),
    });
  });

  it('is told that a port has no TLS', async () => {
    const agent = await connect(await serve({ grpc: { port: 0 } }), { tls: true });
    await expect(agent.run('who')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/: the port does not speak TLS$/),
    });
  });
});

describe('the port of gRPC', () => {
  const certificateAt = (address: string | undefined) =>
    new Promise<PeerCertificate>((resolve, reject) => {
      const [host, port] = (address ?? '').split(':');
      const options = { host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2'] };
      const socket = dialTls(options, () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      });
      socket.on('error', reject);
    });

  it('shows the new certificate after renewTls', async () => {
    const server = await serve({ grpc: { port: 0 } }, SERVER);
    const before = await certificateAt(server.grpcAddress);
    await server.renewTls({ cert: renewedPem('renewed.pem'), key: renewedPem('renewed.key') });
    const after = await certificateAt(server.grpcAddress);
    expect(before.issuer.CN).toBe('Test CA');
    expect(after.issuer.CN).toBe('localhost');
  });

  it('has a certificate of its own, which renewTls leaves alone, or no TLS at all', async () => {
    const own = await serve(
      { grpc: { port: 0, tls: { ...SERVER } } },
      {
        ...SERVER,
        cert: renewedPem('renewed.pem'),
        key: renewedPem('renewed.key'),
      },
    );
    await own.renewTls({ cert: renewedPem('renewed.pem'), key: renewedPem('renewed.key') });
    expect((await certificateAt(own.grpcAddress)).issuer.CN).toBe('Test CA');
    const plain = await serve({ grpc: { port: 0, tls: false } }, SERVER);
    expect(plain.url).toMatch(/^https:/);
    const client = new RawClient(plain.grpcAddress);
    expect(await client.unary('sendMessage', message('who'))).toMatchObject({ task: { artifacts: [{}] } });
  });
});

const message = (text: string) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } });

const TOKEN = validated({ type: 'bearer', validate: (token) => token === 'secret' });

describe.each(['1.0', '0.3'] as const)('the extended card over gRPC, in %s', (version) => {
  it('is for those who are known [rule:card.extended-auth] [rule:v03.extended-card]', async () => {
    const server = await serve({ auth: TOKEN, grpc: { port: 0 } });
    const client = new RawClient(server.grpcAddress);
    const refused = await client.unary('getExtendedCard', {}, { version }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 16 });
    const metadata = { authorization: 'Bearer secret' };
    const card = await client.unary('getExtendedCard', {}, { version, metadata });
    expect(card).toMatchObject({ name: 'whoami', description: 'Tells who calls, to those who are known' });
    const options = { prefer: { version, binding: 'GRPC' }, headers: metadata, ...NO_RETRIES } as const;
    const agent = await A2AClient.connect(server.url ?? '', options);
    expect((await agent.extendedCard()).description).toBe('Tells who calls, to those who are known');
  });
});

it('tells a stranger nothing of several agents, whatever it sends, and keeps nothing of it', async () => {
  const server = await serve({
    agents: [whoami, other],
    auth: TOKEN,
    grpc: { port: 0 },
    limits: { bodyBytes: 10_000 },
  });
  const client = new RawClient(server.grpcAddress);
  const ask = (tenant: string, text = 'x') =>
    client.unary('sendMessage', { tenant, ...message(text) }).catch((error: { code: number }) => error.code);
  const [known, unknown, large] = await Promise.all([
    ask('agents/other'),
    ask('agents/nobody'),
    ask('', 'x'.repeat(9000)),
  ]);
  expect([known, large]).toEqual([16, 16]);
  expect([5, 16]).toContain(unknown);
  // Too large a message is not read, and its caller is refused as a stranger.
  expect(await ask('agents/other', 'x'.repeat(20_000))).toBe(16);
  expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
});
