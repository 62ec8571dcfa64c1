import { anything, type Checks, flag, members, orElse, requireRight, text } from '../../model/options/checks.ts';
import { type TlsOptions, tlsMembers } from './tls-options.ts';

/** The port of gRPC. */
export interface GrpcOptions {
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** The address to listen on. Default: that of `listen`, else `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Serves gRPC over TLS; `false` turns it off. Default: that of `listen`. */
  readonly tls?: TlsOptions | false | undefined;
  /**
   * The address on cards, such as `agents.example.com:443`. Default: the host of the request for the card, and this
   * port.
   */
  readonly address?: string | undefined;
  /** Lets tools ask for the services and messages. Default true. */
  readonly reflection?: boolean | undefined;
}

/** The port, which must be there, and the address are looked at by themselves. */
const OPTIONS: Checks<GrpcOptions> = {
  port: anything,
  host: text,
  tls: orElse(tlsMembers, false),
  address: anything,
  reflection: flag,
};

const check = members(OPTIONS);

/** Throws a TypeError that names what is wrong. */
export function checkGrpcOptions(options: GrpcOptions | undefined): void {
  if (options === undefined) return;
  requireRight('', check(options, 'grpc'));
  const { port, address } = options;
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new TypeError(`grpc.port must be a whole number from 0 to 65535, not ${String(port)}`);
  }
  if (address !== undefined && !/^[^\s/:]+(?::\d{1,5})$|^\[[0-9A-Fa-f:.]+\]:\d{1,5}$/.test(address)) {
    throw new TypeError(`grpc.address must be like agents.example.com:443, without a scheme, not ${String(address)}`);
  }
}
