import { type ExchangeRequest, header } from '../bindings/exchange.ts';

const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Where clients reach this server: the setting, or the address that this request used, which works by construction. */
export function baseUrlOf(request: ExchangeRequest, setting: string | undefined): string {
  if (setting !== undefined) return setting.replace(/\/+$/, '');
  const host = header(request.headers, 'host');
  return `${request.peer.protocol ?? 'http'}://${host && HOST.test(host) ? host : 'localhost'}`;
}
