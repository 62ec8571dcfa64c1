import { isLoopbackAddress } from '../routing/locality.ts';

export interface Exposure {
  readonly host: string;
  readonly hasTls: boolean;
  /** Certificates of clients can be verified. */
  readonly hasAuthority: boolean;
}

interface ExposedServer {
  readonly hasAuth: boolean;
  readonly open: boolean;
  /** Certificates tell who calls. */
  readonly usesCertificates: boolean;
  /** Cards are signed, though the settings do not say by which names the server is reached. */
  readonly signsForAnyName: boolean;
  /** The console is on. */
  readonly hasConsole: boolean;
}

/** Throws if listening would let in strangers by accident, keep out everyone, or leave cards unsigned. */
export function requireSafe({ host, hasTls, hasAuthority }: Exposure, server: ExposedServer): void {
  if (server.usesCertificates && !(hasTls && hasAuthority)) {
    throw new TypeError('mtls() needs listen({ tls: { cert, key, ca } }): nobody could prove who they are without it');
  }
  if (server.signsForAnyName && !isLoopbackName(host)) {
    throw new TypeError(
      'card.sign needs url, or hosts with the names of this server: a signed card must not name whatever address a request came by',
    );
  }
  if (server.hasConsole && !server.hasAuth && !isLoopbackName(host)) {
    throw new TypeError(
      `console needs auth where other machines can reach the server (${host || 'all addresses'}): nobody could prove to be its operator without it`,
    );
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
