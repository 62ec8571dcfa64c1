import { type AddressBytes, isWithin, type Network, readNetwork } from './addresses.ts';

/** The target that one entry allows: a name or a network, on one port or on the ports of the list. */
type Entry = { readonly port: number | undefined } & ({ readonly host: string } | { readonly network: Network });

/** A place to send to: the host of a URL and its port. */
export interface Place {
  /** As `URL` writes it, without brackets and without a dot at its end. */
  readonly host: string;
  readonly port: number;
}

/** The addresses and names that an operator opens beside the public internet. */
export class AllowList {
  readonly #entries: readonly Entry[];

  /** Throws a TypeError that names the first invalid entry. */
  constructor(entries: readonly string[], name = 'allow') {
    this.#entries = entries.map((text, index) => readEntry(text, `${name}[${index}]`));
  }

  /** True if the name itself is open, wherever it leads to. */
  opensHost({ host, port }: Place): boolean {
    return this.#entries.some((entry) => 'host' in entry && entry.host === host && isPort(entry, port));
  }

  opensAddress(address: AddressBytes, port: number): boolean {
    return this.#entries.some((entry) => 'network' in entry && isWithin(address, entry.network) && isPort(entry, port));
  }

  /** True if an entry names the port, for this name or for an address. */
  opensPort({ host, port }: Place, address: AddressBytes | undefined): boolean {
    return this.#entries.some((entry) => {
      if (entry.port !== port) return false;
      return 'host' in entry ? entry.host === host : address !== undefined && isWithin(address, entry.network);
    });
  }
}

function isPort(entry: Entry, port: number): boolean {
  return entry.port === undefined || entry.port === port;
}

const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function readEntry(text: unknown, name: string): Entry {
  const refuse = (why: string): never => {
    throw new TypeError(`${name}: ${JSON.stringify(text)} ${why}`);
  };
  if (typeof text !== 'string') return refuse('is not a text');
  const form = /^(?:\[(?<literal>[^\]]*)\]|(?<plain>[^:[\]]*)):(?<port>\d{1,5})$/.exec(text)?.groups;
  const port = form ? Number(form.port) : undefined;
  if (port !== undefined && (port < 1 || port > 65_535)) return refuse('has a port that is none, from 1 to 65535');
  const place = form?.literal ?? form?.plain ?? text;
  if (/^[\d./]+$/.test(place) || place.includes(':')) {
    try {
      return { port, network: readNetwork(place) };
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
  }
  const host = place.toLowerCase().replace(/\.$/, '');
  // A name that `URL` writes differently would never match: one with umlauts, an address in hexadecimal digits.
  if (!NAME.test(host) || URL.parse(`http://${host}/`)?.hostname !== host) {
    return refuse('is not a host, host:port, address or network such as 10.0.0.0/8');
  }
  return { port, host };
}
