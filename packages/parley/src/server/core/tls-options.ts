/** The certificate of a server. Each is in PEM, or the name of a file that has it. */
export interface TlsOptions {
  /** The certificate, followed by its chain: PEM, or the name of a file. */
  readonly cert: string | Uint8Array;
  /** The private key of the certificate: PEM, or the name of a file. */
  readonly key: string | Uint8Array;
  /** Whose signature the certificates of clients must have; they are asked for one where it is set. */
  readonly ca?: string | Uint8Array | undefined;
}
