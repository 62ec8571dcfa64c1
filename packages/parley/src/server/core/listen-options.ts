import type { TlsOptions } from './tls-options.ts';

export interface ListenOptions {
  /** The port to listen on; 0 takes any free one. Default 4000. */
  readonly port?: number | undefined;
  /** The address to listen on. Default `127.0.0.1`: only this machine. */
  readonly host?: string | undefined;
  /** Serves HTTPS. With `ca`, the server asks clients for certificates, and `mtls()` reads the caller from them. */
  readonly tls?: TlsOptions | undefined;
}
