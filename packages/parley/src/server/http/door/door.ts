import { type ExchangeRequest, header } from '../../../bindings/exchange.ts';
import { foreignPage, misdirected } from '../../../bindings/http/http-refusals.ts';
import { type A2AError, quoted } from '../../../model/errors/errors.ts';
import type { Asked } from '../asked.ts';
import type { Cors } from '../cors.ts';
import { type HostsSetting, OwnHosts } from './own-hosts.ts';

interface DoorOptions {
  readonly hosts?: HostsSetting | undefined;
  readonly url?: string | undefined;
  readonly trustProxy?: boolean | undefined;
}

/**
 * Keeps out web pages that reach the server by the browser of somebody who may: pages whose name was rebound to this machine
 * (a `Host` that is not the server's) and pages of other sites (`Sec-Fetch-Site`, `Origin`) that CORS does not allow. It looks
 * at requests where the server itself listens on loopback, and at all of them where the setting `hosts` is there. An app
 * that has the server in it may have a proxy before it, and decides for itself.
 */
export class Door {
  readonly #own: OwnHosts;
  readonly #isSet: boolean;
  readonly #trustProxy: boolean;
  readonly #cors: Pick<Cors, 'allows'> | undefined;

  constructor(options: DoorOptions, cors: Pick<Cors, 'allows'> | undefined) {
    this.#own = new OwnHosts(options);
    this.#isSet = options.hosts !== undefined;
    this.#trustProxy = options.trustProxy === true;
    this.#cors = cors;
  }

  /** The error of a request that may not come in; undefined for all others. */
  refusalOf({ request, route }: Pick<Asked, 'request' | 'route'>): A2AError | undefined {
    const { fault, caller, peer } = request;
    if (fault) return fault;
    if (caller !== undefined || !(this.#isSet || peer.isOwnLoopback === true)) return undefined;
    // Probes address a server by whatever they know of it, and learn nothing but that it lives.
    if (route?.kind === 'health') return undefined;
    return this.#foreignHost(request) ?? this.#foreignPage(request);
  }

  #foreignHost(request: ExchangeRequest): A2AError | undefined {
    const forwarded = this.#trustProxy ? forwardedHost(request) : undefined;
    // A proxy that is trusted vouches for the name, unless the settings know better.
    if (forwarded !== undefined && !this.#own.areNamed) return undefined;
    const host = forwarded ?? hostOf(request);
    if (host === undefined || this.#own.includes(host)) return undefined;
    const name = quoted(host);
    return misdirected(
      `"${name}" is not a name of this server. If clients should reach it by that name, give the server hosts: ["${name}"]`,
    );
  }

  #foreignPage(request: ExchangeRequest): A2AError | undefined {
    const { headers } = request;
    const site = header(headers, 'sec-fetch-site');
    const origin = header(headers, 'origin');
    if (site === undefined && origin === undefined) return undefined;
    const isForeign = site === undefined ? !this.#isOwnOrigin(origin, request) : site === 'cross-site';
    if (!isForeign || isVisit(request) || (origin !== undefined && this.#cors?.allows(origin))) return undefined;
    const page = origin === undefined || origin === 'null' ? undefined : quoted(origin);
    const advice = page === undefined ? 'cors: true' : `cors: ["${page}"]`;
    return foreignPage(
      `Pages of ${page === undefined ? 'other sites' : `"${page}"`} may not call this server. If they should, give it ${advice}`,
    );
  }

  #isOwnOrigin(origin: string | undefined, request: ExchangeRequest): boolean {
    const host = origin === undefined ? undefined : URL.parse(origin)?.host;
    if (!host) return false;
    return host === hostOf(request)?.toLowerCase() || this.#own.lists(host);
  }
}

/** A link that a visitor follows, which shows the page to that visitor alone. */
function isVisit({ method, headers }: ExchangeRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && header(headers, 'sec-fetch-mode') === 'navigate';
}

function hostOf({ headers }: ExchangeRequest): string | undefined {
  // HTTP/2 has another name for it.
  return header(headers, 'host') ?? header(headers, ':authority');
}

/** The host that the proxy next to the client was asked for: every further one appends to the list. */
function forwardedHost({ headers }: ExchangeRequest): string | undefined {
  return header(headers, 'x-forwarded-host')?.split(',')[0]?.trim();
}
