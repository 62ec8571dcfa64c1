/** An address of http or https; undefined for anything else. */
export function httpUrl(address: string, base?: string): URL | undefined {
  const url = URL.parse(address, base);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
