import { readFile } from 'node:fs/promises';
import type { ServerOptions } from 'node:https';
import type { TlsOptions } from '../server/http/tls-options.ts';

/**
 * The options of Node. `identifies`: certificates tell who calls, so that a client without a valid one is refused by the server
 * in words instead of by a broken connection, and may prove itself otherwise.
 */
export async function tlsSettings({ cert, key, ca }: TlsOptions, identifies: boolean): Promise<ServerOptions> {
  const [certificate, privateKey, authority] = await Promise.all([pem('cert', cert), pem('key', key), pem('ca', ca)]);
  return {
    cert: certificate,
    key: privateKey,
    minVersion: 'TLSv1.2',
    ...(authority !== undefined && { ca: authority, requestCert: true, rejectUnauthorized: !identifies }),
  };
}

async function pem(name: string, value: string | Uint8Array | undefined): Promise<string | Buffer | undefined> {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return Buffer.from(value);
  if (value.includes('-----BEGIN ')) return value;
  try {
    return await readFile(value);
  } catch (cause) {
    throw new Error(`tls.${name} is neither PEM nor a file that can be read: ${value.slice(0, 200)}`, { cause });
  }
}
