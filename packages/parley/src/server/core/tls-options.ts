import { type Check, type Checks, members, takesUnseen } from '../../model/options/checks.ts';

/** The certificate of a server. */
export interface TlsOptions {
  /** The certificate, followed by its chain: PEM, or the name of a file. */
  readonly cert: string | Uint8Array;
  /** The private key of the certificate: PEM, or the name of a file. */
  readonly key: string | Uint8Array;
  /**
   * The authority that must have signed the certificates of clients: PEM, or the name of a file. If you set it, the
   * server asks clients for a certificate.
   */
  readonly ca?: string | Uint8Array | undefined;
}

const pem = takesUnseen(
  'PEM, or the name of a file',
  (value) => typeof value === 'string' || value instanceof Uint8Array,
);
const TLS: Checks<TlsOptions> = { cert: pem, key: pem, ca: pem };

/** Members that are left out are looked for where the files are read. */
export const tlsMembers: Check = members(TLS);
