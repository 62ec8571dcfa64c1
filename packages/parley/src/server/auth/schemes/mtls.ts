import { type Checks, called, checkOptions, filled } from '../../../model/options/checks.ts';
import type { Authenticator, AuthTools, ClientCertificate, Identity } from '../authenticator.ts';
import { UNOPENED } from '../authenticator.ts';
import { checkedIdentity } from '../identity.ts';
import { uncheckable, wrongCredential } from '../refusals.ts';

export interface MtlsOptions {
  /**
   * Reads the subject from a certificate; undefined refuses it. Default: the whole name of the subject, such as
   * `CN=alice,O=Acme`.
   */
  readonly subject?: ((certificate: ClientCertificate) => string | Identity | undefined) | undefined;
  /** The scheme's name on the card. Default `mtls`. */
  readonly name?: string | undefined;
}

const OPTIONS: Checks<MtlsOptions> = { subject: called, name: filled };

/** Identifies callers by their TLS certificate. The TLS layer has verified it: no other certificate is at the peer. */
export function mtls(options: MtlsOptions = {}): Authenticator {
  checkOptions('mtls', options, OPTIONS);
  const { subject = distinguishedName, name = 'mtls' } = options;
  let tools: AuthTools = UNOPENED;
  return {
    name,
    scheme: { type: 'mutualTLS' },
    open: (opened) => {
      tools = opened;
    },
    authenticate({ peer: { certificate } }) {
      if (certificate === undefined) return undefined;
      let found: string | Identity | undefined;
      try {
        found = subject(certificate);
        if (found !== undefined && found !== '') {
          return checkedIdentity(typeof found === 'string' ? { subject: found } : found);
        }
      } catch (error) {
        tools.log.error('The subject of a client certificate cannot be told', { authenticator: name, error });
        throw uncheckable(error);
      }
      throw wrongCredential(name, 'the certificate has no subject');
    },
  };
}

/** The subject's name as RFC 4514 writes it, in the order of the certificate; two names never look the same. */
export function distinguishedName({ subject }: ClientCertificate): string {
  return Object.entries(subject)
    .flatMap(([type, value]) => [value ?? []].flat().map((one) => `${type}=${escaped(one)}`))
    .join(',');
}

function escaped(value: string): string {
  return value.replace(/[\\",+;<>=]/g, '\\$&').replace(/^[ #]| $/g, '\\$&');
}
