import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { A2AServer } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentOf } from '../support/script.ts';

const OURS = join(import.meta.dirname, 'support/tls');
const GOOD = join(import.meta.dirname, '../auth/support/tls');
const fileOf = (name: string) => join(name.startsWith('server') || name.startsWith('ca') ? GOOD : OURS, name);
const pem = (name: string) => readFileSync(fileOf(name), 'utf8');

function server(): A2AServer {
  const made = new A2AServer({ agents: [agentOf(() => 'Hello')] });
  onTestFinished(() => made.close());
  return made;
}

/** The common name and the serial number that a client sees. */
function seenBy(url = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const CERT = { cert: pem('server.pem'), key: pem('server.key') };

describe('listen({ tls }) says what is wrong with', () => {
  const missing = join(OURS, 'missing.pem');
  it.each([
    [
      'a file that is missing',
      { ...CERT, cert: missing },
      `tls.cert: there is no file ${missing}; give the path of a PEM file with the certificate of the server`,
    ],
    [
      'a folder',
      { ...CERT, key: OURS },
      `tls.key: ${OURS} is a folder; give the path of a PEM file with the certificate's private key`,
    ],
    ['a text that is neither', { ...CERT, key: 'MIIB'.repeat(80) }, 'tls.key is neither PEM nor the name of a file'],
    ['nothing at all', { ...CERT, cert: '' }, 'tls.cert is neither PEM nor the name of a file'],
    [
      'a key that is not there',
      { cert: CERT.cert } as typeof CERT,
      "tls.key is missing; give the certificate's private key, or the path of its PEM file",
    ],
    [
      'a key in the place of a certificate',
      { cert: fileOf('server.key'), key: fileOf('server.key') },
      `tls.cert (${fileOf('server.key')}) has no certificate in it (-----BEGIN CERTIFICATE-----)`,
    ],
    [
      'a certificate in the place of a key',
      { cert: fileOf('server.pem'), key: fileOf('server.pem') },
      `tls.key (${fileOf('server.pem')}) has no private key in it (-----BEGIN PRIVATE KEY-----)`,
    ],
    [
      'a certificate that is cut off',
      { ...CERT, cert: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' },
      /^tls\.cert has a certificate that cannot be read: /,
    ],
    [
      'a key that is damaged',
      { ...CERT, key: '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n' },
      /^tls\.key has a private key that cannot be read: /,
    ],
    [
      'a key with a passphrase',
      { cert: pem('renewed.pem'), key: pem('encrypted.key') },
      'tls.key is encrypted with a passphrase; give it without one',
    ],
    [
      'a key of another certificate',
      { cert: pem('renewed.pem'), key: pem('server.key') },
      'tls.cert and tls.key do not belong together: the certificate is for another key',
    ],
    [
      'a chain in the wrong order',
      { cert: pem('ca.pem') + pem('server.pem'), key: pem('server.key') },
      "tls.cert must begin with the server's own certificate, which is number 2 in it",
    ],
    [
      'a certificate that has expired',
      { cert: fileOf('expired.pem'), key: fileOf('expired.key') },
      `tls.cert (${fileOf('expired.pem')}) expired on 2021-01-01; renew the certificate`,
    ],
    [
      'a certificate of the future',
      { cert: pem('future.pem'), key: pem('future.key') },
      'tls.cert is not valid before 2200-01-01; is the clock of this machine right?',
    ],
    ['an authority that is none', { ...CERT, ca: pem('server.key') }, /^tls\.ca has no certificate in it/],
  ])('%s', async (_, tls, message) => {
    const made = server();
    const error: unknown = await made.listen({ port: 0, tls }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    if (typeof message === 'string') expect((error as Error).message).toBe(message);
    else expect((error as Error).message).toMatch(message);
    expect(made.url).toBeUndefined();
  });
});

describe('renewTls', () => {
  const renewed = { cert: pem('renewed.pem'), key: pem('renewed.key') };

  it('shows the new certificate to connections that come after', async () => {
    const { url, renewTls } = await listening();
    const before = await seenBy(url);
    await renewTls(renewed);
    expect(await seenBy(url)).not.toBe(before);
  });

  it('leaves the certificate as it is where the new one cannot be used', async () => {
    const { url, renewTls } = await listening();
    const before = await seenBy(url);
    await expect(renewTls({ ...renewed, key: pem('server.key') })).rejects.toThrow('do not belong together');
    await expect(renewTls({ ...renewed, cert: 'missing.pem' })).rejects.toThrow('there is no file missing.pem');
    expect(await seenBy(url)).toBe(before);
  });

  it('is refused without TLS', async () => {
    const plain = server();
    await expect(plain.renewTls(renewed)).rejects.toThrow('does not listen with TLS');
    await plain.listen({ port: 0 });
    await expect(plain.renewTls(renewed)).rejects.toThrow('does not listen with TLS');
  });

  async function listening() {
    const made = await server().listen({ port: 0, tls: CERT });
    return { url: made.url, renewTls: (tls: typeof CERT) => made.renewTls(tls) };
  }
});
