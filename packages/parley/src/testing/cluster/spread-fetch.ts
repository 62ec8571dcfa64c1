/** Numbers from 0 to below 1, the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    // Mixed twice, so that neighbouring seeds have nothing in common.
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/**
 * A `fetch` that sends each request for one of several addresses to any of them, as a balancer would. Cards stay where they
 * are: each names its own address.
 */
export function spreadFetch(urls: readonly string[], random: () => number, inner: typeof fetch): typeof fetch {
  const origins = urls.map((url) => new URL(url).origin);
  if (origins.length < 2) return inner;
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, search } = new URL(request.url);
    const chosen = origins[Math.floor(random() * origins.length)];
    if (chosen === undefined || !origins.includes(origin) || pathname.includes('/.well-known/')) return inner(request);
    const body = request.method === 'GET' || request.method === 'HEAD' ? null : await request.text();
    const { method, headers, signal } = request;
    return inner(`${chosen}${pathname}${search}`, { method, headers, signal, body });
  };
}
