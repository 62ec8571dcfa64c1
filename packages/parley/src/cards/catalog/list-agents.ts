import { discard, parseJson, readText, responseFacts } from '../../bindings/http/response.ts';
import { CATALOG_TYPE } from '../../model/catalog.ts';
import { A2AError, type A2AErrorCode, isA2AError } from '../../model/errors/errors.ts';
import { type AgentList, readCatalog } from './read-catalog.ts';

export interface ListAgentsOptions {
  /** Headers for the host that you ask, and for no other. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Stops the search when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each address of a catalog. Default 30 000. */
  readonly timeout?: number | undefined;
}

const CATALOG_PATH = '.well-known/ai-catalog.json';
const LARGEST_BYTES = 2 ** 20;
const MOST_REDIRECTS = 3;
const DEFAULT_TIMEOUT = 30_000;

/**
 * The agents of a host, by its catalog at `/.well-known/ai-catalog.json`. The address of each is that of its card, which
 * `A2AClient.connect` takes.
 *
 * @param url an address of the host, or of the catalog itself
 * @throws A2AError NOT_FOUND where the host has no catalog
 * @example
 * const { agents } = await listAgents('https://agents.example.com');
 */
export async function listAgents(url: string | URL, options: ListAgentsOptions = {}): Promise<AgentList> {
  const base = baseOf(url);
  const tried: string[] = [];
  for (const address of catalogAddresses(base)) {
    const found = await fetchCatalog(address, options);
    if (typeof found === 'object') return found;
    tried.push(`${address.href} (${found})`);
  }
  throw new A2AError('NOT_FOUND', `No catalog of agents was found at ${tried.join(', ')}`);
}

function baseOf(url: string | URL): URL {
  const base = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (!base || !/^https?:$/.test(base.protocol))
    throw new A2AError('INVALID_PARAMS', `Not an http(s) address: ${String(url).slice(0, 200)}`);
  if (base.username === '' && base.password === '') return base;
  throw new A2AError('INVALID_PARAMS', `The address of ${base.host} holds a name or a password: set headers instead`);
}

/** Below the address, as a server may have a prefix, and at the root of the host. */
function catalogAddresses(base: URL): readonly URL[] {
  if (base.pathname.endsWith('.json')) return [base];
  const below = new URL(base);
  below.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '')}/${CATALOG_PATH}`;
  const atRoot = new URL(`/${CATALOG_PATH}`, base);
  return below.pathname === atRoot.pathname ? [below] : [below, atRoot];
}

/** The agents; or why there is no catalog at this address. */
async function fetchCatalog(address: URL, options: ListAgentsOptions): Promise<AgentList | string> {
  const { headers = {}, fetch: send = fetch, timeout = DEFAULT_TIMEOUT } = options;
  const signals = [AbortSignal.timeout(timeout), ...(options.signal ? [options.signal] : [])];
  const signal = AbortSignal.any(signals);
  let url = address;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(url.href, {
      headers: { accept: `${CATALOG_TYPE}, application/json`, ...headers },
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      if (isA2AError(error)) throw error;
      throw new A2AError(signal.aborted ? 'TIMEOUT' : 'UNREACHABLE', `${url.origin} does not respond`, {
        cause: error,
      });
    });
    const target = redirectOf(response, url);
    if (!target) return readResponse(response, url, signal);
    discard(response);
    if (redirects === MOST_REDIRECTS)
      throw new A2AError('INVALID_RESPONSE', `${address.origin} redirects without an end`);
    if (target.origin !== address.origin) {
      throw new A2AError(
        'INVALID_RESPONSE',
        `${address.origin} redirects to ${target.origin}: ask there, if that is meant`,
      );
    }
    url = target;
  }
}

function redirectOf(response: Response, from: URL): URL | undefined {
  const { status, headers } = response;
  if (status < 300 || status >= 400 || status === 304) return undefined;
  const location = headers.get('location') ?? '';
  if (location === '' || !URL.canParse(location, from.href))
    throw new A2AError('INVALID_RESPONSE', `${from.href} redirects nowhere`);
  return new URL(location, from.href);
}

const REFUSALS: Readonly<Record<number, A2AErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'UNAVAILABLE',
};

async function readResponse(response: Response, url: URL, signal: AbortSignal): Promise<AgentList | string> {
  const { status } = response;
  if (status !== 200) {
    discard(response);
    const code = REFUSALS[status] ?? (status >= 500 ? 'UNAVAILABLE' : undefined);
    if (code) throw new A2AError(code, `No catalog is given at ${url.href}: status ${status}`, responseFacts(response));
    return `status ${status}`;
  }
  const document = parseJson(await readText(response, LARGEST_BYTES, signal));
  return document === undefined ? 'not JSON' : readCatalog(document, url.href);
}
