import { type ExchangeRequest, header } from '../../bindings/exchange.ts';
import { normalPath } from './paths.ts';

const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PROTOCOL = /^https?$/i;
const PREFIX = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/;

/** The headers of a proxy that make the address, where they are trusted. */
export const FORWARDED_HEADERS: readonly string[] = ['X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Forwarded-Prefix'];

export interface BaseUrlSettings {
  readonly url?: string | undefined;
  readonly trustProxy?: boolean | undefined;
}

/** Returns the address at which clients reach this server: the setting, or the address that this request used, which works by construction. */
export function baseUrlOf(request: ExchangeRequest, { url, trustProxy = false }: BaseUrlSettings): string {
  if (url !== undefined) return url.replace(/(?<!\/)\/+$/, '');
  const forwarded = (name: string, form: RegExp) => (trustProxy ? forwardedValue(request, name, form) : undefined);
  const protocol = forwarded('proto', PROTOCOL)?.toLowerCase() ?? request.peer.protocol ?? 'http';
  const host = forwarded('host', HOST) ?? ownHost(request);
  // A proxy takes its prefix off before the framework takes its own.
  const outer = normalPath(forwarded('prefix', PREFIX) ?? '');
  return `${protocol}://${host}${outer}${request.prefix ?? ''}`;
}

function ownHost({ headers }: ExchangeRequest): string {
  // HTTP/2 has another name for it.
  const host = header(headers, 'host') ?? header(headers, ':authority');
  return host && HOST.test(host) ? host : 'localhost';
}

/** Returns the value of the proxy next to the client: every further one appends to the list. */
function forwardedValue({ headers }: ExchangeRequest, name: string, form: RegExp): string | undefined {
  const first = header(headers, `x-forwarded-${name}`)?.split(',')[0]?.trim();
  return first !== undefined && form.test(first) ? first : undefined;
}
