import type { Socket } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import type { ClientCertificate } from '../../bindings/exchange.ts';

/** The members of an encrypted socket. */
interface SecureSocket {
  readonly authorized?: boolean;
  readonly getPeerCertificate?: () => Partial<PeerCertificate>;
}

/** One certificate for all requests of a connection. */
const KNOWN = new WeakMap<Socket, ClientCertificate>();

/** The certificate of the client at the other end; undefined if there is none, or it could not be verified. */
export function certificateOf(socket: Socket): ClientCertificate | undefined {
  const known = KNOWN.get(socket);
  if (known) return known;
  const { authorized, getPeerCertificate } = socket as Socket & SecureSocket;
  if (authorized !== true || typeof getPeerCertificate !== 'function') return undefined;
  const { subject, issuer, subjectaltname, fingerprint256, serialNumber } = getPeerCertificate.call(socket);
  if (subject === undefined || fingerprint256 === undefined) return undefined;
  const certificate: ClientCertificate = {
    subject: { ...subject },
    issuer: issuer && { ...issuer },
    subjectaltname,
    fingerprint256,
    serialNumber,
  };
  KNOWN.set(socket, certificate);
  return certificate;
}
