/** A host and a port, as cards of 1.0.1 write it (reference: v1-bindings §7); the port may be missing. */
const BARE = /^(\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(:\d{1,5})?$/i;
const SCHEME = /^(https?|grpcs?):\/\//i;

/**
 * The URL that stands for the address of a gRPC interface: `https` where it is called over TLS. A bare host is, at port 443 and
 * where every other interface of the card is https. Undefined for what is no address.
 */
export function grpcUrl(given: string, others: readonly string[]): string | undefined {
  const [scheme, name] = SCHEME.exec(given) ?? [];
  if (scheme !== undefined)
    return originOf(`${/s$/i.test(name ?? '') ? 'https' : 'http'}://${given.slice(scheme.length)}`);
  const [, host, port = ':443'] = BARE.exec(given) ?? [];
  if (host === undefined) return undefined;
  const web = others.filter((url) => /^https?:/i.test(url));
  const isSecure = port === ':443' || (web.length > 0 && web.every((url) => /^https:/i.test(url)));
  return originOf(`${isSecure ? 'https' : 'http'}://${host}${port}`);
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url && url.hostname !== '' && url.username === '' && url.password === '' ? url.origin : undefined;
}
