import type { ServerOptions } from 'node:https';
import type { TlsOptions } from '../../server/core/tls-options.ts';
import { readCertificates } from './certificates.ts';

/**
 * The options of Node. `identifies`: certificates tell who calls, so that a client without a valid one is refused by the server
 * in words instead of by a broken connection, and may prove itself otherwise.
 */
export async function tlsSettings(options: TlsOptions, identifies: boolean): Promise<ServerOptions> {
  const { cert, key, ca } = await readCertificates(options);
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca, requestCert: true, rejectUnauthorized: !identifies }),
  };
}
