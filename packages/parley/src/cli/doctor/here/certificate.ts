import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { readCertificates } from '../../../adapters/node/certificates.ts';
import type { TlsFiles } from '../../serve/tls.ts';
import { inOptions } from '../../serve/tls.ts';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';

const DAY = 86_400_000;
const SOON = 14 * DAY;

/** Looks at the certificate with which the server would serve. */
export async function checkCertificate(files: TlsFiles, url: string | undefined, now = Date.now()): Promise<Finding> {
  let pem: Buffer;
  try {
    pem = (await readCertificates(files, now)).cert;
  } catch (error) {
    return fail('certificate', inOptions(textOf(error)), 'Clients could not connect: mend it before the server starts');
  }
  const blocks = pem.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const chain = blocks.map((block) => new X509Certificate(block));
  const [own] = chain;
  if (!own) return fail('certificate', `${files.cert} has no certificate in it`, 'Give the certificate of the server');
  const host = url === undefined ? undefined : new URL(url).hostname;
  if (host !== undefined && !isFor(own, host)) {
    return fail(
      'certificate',
      `The certificate is not for ${host} but for ${own.subjectAltName ?? own.subject}`,
      'Get one for the name of --url',
    );
  }
  const broken = chain.findIndex((one, place) => place > 0 && chain[place - 1]?.checkIssued(one) === false);
  if (broken > 0) {
    return warn(
      'certificate',
      `Certificate ${broken + 1} of ${files.cert} has not signed the one before it`,
      'Order the chain: the server’s own first, then those that signed',
    );
  }
  return expiry('certificate', Date.parse(own.validTo), now);
}

/** Tells whether a certificate is for a name or an address. */
export function isFor(certificate: X509Certificate, host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  return (isIP(plain) === 0 ? certificate.checkHost(plain) : certificate.checkIP(plain)) !== undefined;
}

/** Says until when a certificate is valid. */
export function expiry(check: string, end: number, now: number): Finding {
  const day = new Date(end).toISOString().slice(0, 10);
  if (end < now) return fail(check, `The certificate expired on ${day}`, 'Renew it');
  if (end - now < SOON) return warn(check, `The certificate is valid until ${day} only`, 'Renew it');
  return ok(check, `The certificate is valid until ${day}`);
}
