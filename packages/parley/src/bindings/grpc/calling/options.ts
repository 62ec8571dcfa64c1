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
   * Calls addresses without a scheme (`agents.example.com:50051`) over TLS or not, and with which certificates.
   * Default: TLS at port 443, and if all other interfaces of the card are https.
   */
  readonly tls?: boolean | GrpcTls | undefined;
  /**
   * Milliseconds between pings that find dead connections; 0 for none. Default 30 000 for servers of Parley, and 310
   * 000 for others, which close connections with more than one ping in five minutes.
   */
  readonly keepAlive?: number | undefined;
  /** Options of `@grpc/grpc-js` for its channels. They win over those set here. */
  readonly channelOptions?: Readonly<Record<string, string | number>> | undefined;
}
