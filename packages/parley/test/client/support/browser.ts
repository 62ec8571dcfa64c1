/** Headers that pages may send without asking, and values of `content-type` with which they may. */
const SIMPLE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-language']);
const SIMPLE_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/;
const SIMPLE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** Headers of answers that pages may read without permission. */
const READABLE_HEADERS: readonly string[] = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
];

/**
 * A `fetch` as browsers have it for a page of another origin: it asks for permission first where that is needed, hides the
 * headers that are not exposed, and says nothing but "Failed to fetch" where the server does not allow the call.
 */
export function fetchOfPage(origin: string, answer: (request: Request) => Promise<Response>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set('origin', origin);
    const asked = [...request.headers.keys()].filter((name) => !isSimple(name, request.headers.get(name) ?? ''));
    if (asked.length > 0 || !SIMPLE_METHODS.has(request.method)) {
      const preflight = { origin, 'access-control-request-method': request.method };
      const allowed = await answer(
        new Request(request.url, {
          method: 'OPTIONS',
          headers: { ...preflight, 'access-control-request-headers': asked.toSorted().join(',') },
        }),
      );
      const allows = (kind: string, name: string) => wordsOf(allowed, kind).includes(name.toLowerCase());
      const isAllowed =
        allowed.ok &&
        isGranted(allowed, origin) &&
        asked.every((name) => allows('access-control-allow-headers', name)) &&
        (SIMPLE_METHODS.has(request.method) || allows('access-control-allow-methods', request.method));
      if (!isAllowed) throw new TypeError('Failed to fetch');
    }
    const response = await answer(new Request(request, { headers }));
    if (!isGranted(response, origin)) throw new TypeError('Failed to fetch');
    return readable(response);
  };
}

function isSimple(name: string, value: string): boolean {
  return SIMPLE_HEADERS.has(name) || (name === 'content-type' && SIMPLE_TYPES.test(value));
}

function isGranted({ headers }: Response, origin: string): boolean {
  const granted = headers.get('access-control-allow-origin');
  return granted === '*' || granted === origin;
}

function wordsOf({ headers }: Response, name: string): readonly string[] {
  return (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);
}

function readable(response: Response): Response {
  const names = new Set([...READABLE_HEADERS, ...wordsOf(response, 'access-control-expose-headers')]);
  const headers = [...response.headers].filter(([name]) => names.has(name));
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
