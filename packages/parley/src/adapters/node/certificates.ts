import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { requireRight } from '../../model/options/checks.ts';
import { type TlsOptions, tlsMembers } from '../../server/core/tls-options.ts';

interface Certificates {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer | undefined;
}

/** One of the three, with its name in errors: the option, and the file if it is one. */
interface Source {
  readonly pem: Buffer;
  readonly name: string;
}

/** Longer texts are not shown: the key itself may be in the place of its file's name. */
const LONGEST_FILE_NAME = 200;

/**
 * Reads what a server needs for TLS. Rejects with one sentence that names the option where a file is missing or cannot be read,
 * is not what it should be, does not fit the others, or is no longer valid: clients would only see a broken connection.
 */
export async function readCertificates(options: TlsOptions, now: number = Date.now()): Promise<Certificates> {
  requireRight('', tlsMembers(options, 'tls'));
  // One after the other: of several that are missing, the first is named.
  const cert = await source('cert', options.cert);
  const key = await source('key', options.key);
  const ca = options.ca === undefined ? undefined : await source('ca', options.ca);
  const chain = certificatesIn(cert);
  requireMatch(chain, privateKeyIn(key), { cert, key });
  requireValid(chain[0], cert, now);
  if (ca) certificatesIn(ca);
  const read = { cert: cert.pem, key: key.pem, ca: ca?.pem };
  try {
    createSecureContext(read);
  } catch (cause) {
    throw new Error(`${cert.name} cannot be used for TLS: ${reasonOf(cause)}`, { cause });
  }
  return read;
}

async function source(option: 'cert' | 'key' | 'ca', value: string | Uint8Array | undefined): Promise<Source> {
  const name = `tls.${option}`;
  // A value from an environment variable may be undefined.
  if (value === undefined) throw new Error(`${name} is missing; give ${WANTED[option]}, or the path of its PEM file`);
  if (typeof value !== 'string') return { pem: Buffer.from(value), name };
  if (value.includes('-----BEGIN ')) return { pem: Buffer.from(value), name };
  if (value === '' || value.length > LONGEST_FILE_NAME || value.includes('\n')) {
    throw new Error(`${name} is neither PEM nor the name of a file`);
  }
  try {
    return { pem: await readFile(value), name: `${name} (${value})` };
  } catch (cause) {
    throw new Error(`${name}: ${fileProblem(cause, value)}; ${remedy(cause, option)}`, { cause });
  }
}

function fileProblem(cause: unknown, file: string): string {
  switch (cause instanceof Error && 'code' in cause ? cause.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `there is no file ${file}`;
    case 'EACCES':
    case 'EPERM':
      return `this user may not read the file ${file}`;
    case 'EISDIR':
      return `${file} is a folder`;
    default:
      return `the file ${file} cannot be read: ${reasonOf(cause)}`;
  }
}

const WANTED = {
  cert: 'the certificate of the server',
  key: "the certificate's private key",
  ca: 'the certificates of the authorities that sign those of callers',
};

function remedy(cause: unknown, option: keyof typeof WANTED): string {
  const isForbidden = cause instanceof Error && 'code' in cause && (cause.code === 'EACCES' || cause.code === 'EPERM');
  if (isForbidden) return 'let the user who runs the server read it';
  return `give the path of a PEM file with ${WANTED[option]}`;
}

/** All certificates of a file; the first is that of the server. */
function certificatesIn({ pem, name }: Source): readonly X509Certificate[] {
  const blocks = pem.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!blocks) throw new Error(`${name} has no certificate in it (-----BEGIN CERTIFICATE-----)`);
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch (cause) {
    throw new Error(`${name} has a certificate that cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

function privateKeyIn({ pem, name }: Source): KeyObject {
  const text = pem.toString('latin1');
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new Error(`${name} has no private key in it (-----BEGIN PRIVATE KEY-----)`);
  }
  if (/-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new Error(`${name} is encrypted with a passphrase; give it without one`);
  }
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new Error(`${name} has a private key that cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

interface Pair {
  readonly cert: Source;
  readonly key: Source;
}

function requireMatch(chain: readonly X509Certificate[], privateKey: KeyObject, { cert, key }: Pair): void {
  const place = chain.findIndex((certificate) => certificate.checkPrivateKey(privateKey));
  if (place === 0) return;
  throw new Error(
    place < 0
      ? `${cert.name} and ${key.name} do not belong together: the certificate is for another key`
      : `${cert.name} must begin with the server's own certificate, which is number ${place + 1} in it`,
  );
}

function requireValid(certificate: X509Certificate | undefined, { name }: Source, now: number): void {
  if (!certificate) return;
  const [begin, end] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (end < now) throw new Error(`${name} expired on ${dayOf(end)}; renew the certificate`);
  if (begin > now) throw new Error(`${name} is not valid before ${dayOf(begin)}; is the clock of this machine right?`);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** OpenSSL begins with numbers: `error:0480006C:PEM routines::no start line`. */
function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/^error:[0-9A-F]+:/i, '').replace('::', ': ');
}
