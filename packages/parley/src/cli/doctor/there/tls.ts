import { once } from 'node:events';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';
import { expiry, isFor } from '../here/certificate.ts';

const ADVICE: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Its chain is not complete: put the certificates of the authority after the server’s own (fullchain.pem)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'Its chain is not complete, or its authority is not known here (NODE_EXTRA_CA_CERTS)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'It has signed itself: get one of an authority, or name it in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its authority is not known here: NODE_EXTRA_CA_CERTS names one to trust',
  CERT_HAS_EXPIRED: 'Renew it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Get a certificate for this name, or use the name that it is for',
};

/** Looks at the certificate that a server shows: chain, name, expiry. */
export async function checkTls(url: string, timeout: number, now = Date.now()): Promise<Finding> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:') {
    const isNear = /^(?:localhost|127\.|::1$)/.test(host);
    return isNear
      ? ok('tls', 'HTTP without TLS, on this machine')
      : warn(
          'tls',
          `${host} is called without TLS: others on the way can read and change everything`,
          'Serve HTTPS (--tls-cert, --tls-key), or put a proxy before it',
        );
  }
  // SNI has no form for addresses.
  const name = isIP(host) === 0 ? host : undefined;
  const options: ConnectionOptions = {
    host,
    port: Number(port || 443),
    rejectUnauthorized: false,
    ...(name && { servername: name }),
  };
  const socket = connect(options);
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeout) });
    const certificate = socket.getPeerX509Certificate();
    if (!certificate) return fail('tls', 'The server shows no certificate', 'Give it one: --tls-cert, --tls-key');
    const code = String(socket.authorizationError ?? '');
    if (!socket.authorized && code !== '') {
      const [, short = code] = /\b([A-Z][A-Z_]{6,})\b/.exec(code) ?? [];
      return fail(
        'tls',
        `Clients do not trust the certificate: ${short}`,
        ADVICE[short] ?? 'See what openssl s_client says',
      );
    }
    if (!isFor(certificate, host)) {
      return fail(
        'tls',
        `The certificate is not for ${host} but for ${certificate.subjectAltName ?? certificate.subject}`,
        ADVICE.ERR_TLS_CERT_ALTNAME_INVALID ?? '',
      );
    }
    return expiry('tls', Date.parse(certificate.validTo), now);
  } catch (error) {
    return fail(
      'tls',
      `No TLS with ${host}: ${textOf(error)}`,
      'Is the port right, and does the server speak HTTPS there?',
    );
  } finally {
    socket.destroy();
  }
}
