/** Headers that belong to one connection or one body. The relay reports them as sent; whatever sends a copy makes its own. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a request that a copy of it repeats. */
export function withoutConnection(
  headers: readonly (readonly [name: string, value: string])[],
): readonly (readonly [name: string, value: string])[] {
  return headers.filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()));
}
