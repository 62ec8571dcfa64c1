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
