import { isLoopbackAddress } from '../routing/locality.ts';

export interface Exposure {
  readonly host: string;
  readonly hasTls: boolean;
  /** Certificates of clients can be verified. */
  readonly hasAuthority: boolean;
}

export interface ExposedServer {
  readonly hasAuth: boolean;
  readonly open: boolean;
  /** Certificates tell who calls. */
  readonly usesCertificates: boolean;
}

/** Throws where listening would let in anybody by accident, or would keep out everybody. */
export function requireSafe({ host, hasTls, hasAuthority }: Exposure, server: ExposedServer): void {
  if (server.usesCertificates && !(hasTls && hasAuthority)) {
    throw new TypeError('mtls() needs listen({ tls: { cert, key, ca } }): nobody could prove who they are without it');
  }
  if (server.hasAuth || server.open || isLoopbackName(host)) return;
  throw new Error(
    `Other machines can reach ${host || 'all addresses'}, and anybody could call, because this server has no auth: ` +
      'give it auth, listen on 127.0.0.1, or say open: true if that is what you want',
  );
}

function isLoopbackName(host: string): boolean {
  return isLoopbackAddress(host) || /^(?:.+\.)?localhost\.?$/i.test(host);
}
