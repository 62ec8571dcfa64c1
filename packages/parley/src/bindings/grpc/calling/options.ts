/** The certificates of a client, in PEM. */
export interface GrpcTls {
  /** The authorities that servers must be certified by, instead of those that the runtime knows. */
  readonly ca?: string | Uint8Array | undefined;
  /** The client's own certificate, for servers that ask for one. */
  readonly cert?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
}

export interface GrpcClientOptions {
  /**
   * Whether addresses without a scheme (`agents.example.com:50051`) are called over TLS, and with which certificates. Default: at
   * port 443, and where all other interfaces of the card are https.
   */
  readonly tls?: boolean | GrpcTls | undefined;
  /**
   * Milliseconds between the pings that find connections which are dead; 0 = none. Default 30 000 for servers of Parley, and
   * 310 000 for others, which close connections that are pinged more often than every five minutes.
   */
  readonly keepAlive?: number | undefined;
  /** Options of `@grpc/grpc-js` for its channels, over those that are set here. */
  readonly channelOptions?: Readonly<Record<string, string | number>> | undefined;
}
