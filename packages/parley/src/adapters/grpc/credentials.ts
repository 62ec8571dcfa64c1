import type { ServerOptions } from 'node:https';
import type { ServerCredentials } from '@grpc/grpc-js';
import type { Grpc } from './packages.ts';

/** The credentials of a port, which can be renewed while it is open. */
interface RenewableCredentials {
  readonly credentials: ServerCredentials;
  readonly renew: (tls: ServerOptions) => void;
}

/** `tls`: as HTTPS has it; undefined for a port without. */
export function credentialsOf({ ServerCredentials: Base }: Grpc, tls: ServerOptions | undefined): RenewableCredentials {
  if (!tls) return { credentials: Base.createInsecure(), renew: () => undefined };
  const { requestCert = false, rejectUnauthorized = true, minVersion } = tls;
  // Those that gRPC makes itself have no way to let a client in that has no certificate, and to renew.
  class OwnCredentials extends Base {
    _equals(other: ServerCredentials): boolean {
      return this === other;
    }

    renew({ cert, key, ca }: ServerOptions): void {
      this.updateSecureContextOptions({ cert, key, ca, minVersion });
    }
  }
  const { cert, key, ca } = tls;
  const credentials = new OwnCredentials({ requestCert, rejectUnauthorized }, { cert, key, ca, minVersion });
  return { credentials, renew: (renewed) => credentials.renew(renewed) };
}
