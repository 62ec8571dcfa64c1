import { discard } from '../../bindings/http/response.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { httpUrl } from '../call/http-url.ts';
import { abortable } from '../call/signals.ts';
import { MOST_CHALLENGES, MOST_REDIRECTS } from '../pace.ts';
import type { TrustedOrigins } from './origins.ts';

/** Adds what proves who calls; `challenge` is set when the server asked for it. */
export interface Authorizer {
  /** The headers and parameters to add to a request to `url`; undefined where there are no new ones. */
  authorize(url: URL, challenge?: string): Promise<Authorization | undefined>;
}

export interface Authorization {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

interface GuardOptions {
  readonly fetch: typeof fetch;
  readonly trusted: Pick<TrustedOrigins, 'has'>;
  readonly authorizer?: Authorizer | undefined;
}

/**
 * The headers that untrusted origins may see. Any other is the user's own or an interceptor's, who does not know where
 * the call goes.
 */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'idempotency-key',
  'last-event-id',
  'if-none-match',
]);

/** After the last two, the same request is made at the other address. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * A `fetch` that keeps secrets at home (reference: v1-agent-card §5): credentials and headers that are not the protocol's go to
 * trusted origins only, also after a redirect, and what is more than a question is never redirected to an origin that is
 * not trusted. A 401 is answered once, and a second time where nothing was sent before the first one, as to a guarded card
 * whose token has ended; each time only if there is anything new to answer.
 */
export function guardedFetch({ fetch: send, trusted, authorizer }: GuardOptions): typeof fetch {
  return async (input, init = {}) => {
    let url = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET', body } = init;
    let added: Authorization | undefined;
    let challenges = 0;
    for (let redirects = 0; ; ) {
      const isTrusted = trusted.has(url);
      if (!isTrusted) added = undefined;
      else if (!challenges) added = await abortable(authorizer?.authorize(url), init.signal);
      const request = prepare(url, init, isTrusted, added);
      const response = await send(request.url, { ...init, method, body, headers: request.headers, redirect: 'manual' });
      if (response.type === 'opaqueredirect') {
        throw misled(url, 'and this runtime does not tell where to');
      }
      if (response.status === 401 && isTrusted && authorizer && challenges < MOST_CHALLENGES) {
        challenges += added ? MOST_CHALLENGES : 1;
        const renewed = await abortable(
          authorizer.authorize(url, response.headers.get('www-authenticate') ?? ''),
          init.signal,
        );
        if (!renewed || JSON.stringify(renewed) === JSON.stringify(added)) return response;
        discard(response);
        added = renewed;
        continue;
      }
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      discard(response);
      redirects += 1;
      const { status } = response;
      if (redirects > MOST_REDIRECTS) throw misled(url, 'without an end', status);
      const target = targetOf(location, url);
      const isQuestion = method === 'GET' || method === 'HEAD';
      if (!isQuestion && status < 307)
        throw misled(url, `a call with status ${status}, which would lose its content`, status);
      if (!isQuestion && target.origin !== url.origin && !trusted.has(target))
        throw misled(url, `calls to ${target.origin} (${status}): ${ADVICE}`, status);
      url = target;
      // Credentials for one address are not for the next.
      challenges = 0;
    }
  };
}

interface Prepared {
  readonly url: string;
  readonly headers: Headers;
}

function prepare(url: URL, init: RequestInit, isTrusted: boolean, added: Authorization | undefined): Prepared {
  const headers = new Headers(init.headers);
  if (!isTrusted) for (const name of [...headers.keys()]) if (!PUBLIC_HEADERS.has(name)) headers.delete(name);
  const target = new URL(url);
  for (const [name, value] of Object.entries(added?.headers ?? {})) {
    // Headers that the user sets by hand win; several cookies share theirs.
    if (name === 'cookie' && headers.has(name)) headers.set(name, `${headers.get(name)}; ${value}`);
    else if (!headers.has(name)) headers.set(name, value);
  }
  for (const [name, value] of Object.entries(added?.query ?? {})) target.searchParams.set(name, value);
  return { url: target.href, headers };
}

function targetOf(location: string, from: URL): URL {
  const target = httpUrl(location, from.href);
  if (!target) throw misled(from, 'to no address');
  if (from.protocol === 'https:' && target.protocol === 'http:') throw misled(from, 'to an address without TLS');
  return target;
}

const ADVICE = 'name that origin in allowedOrigins, or use its address';

function misled(from: URL, where: string, httpStatus?: number): A2AError {
  return new A2AError('INVALID_RESPONSE', `${from.origin} redirects ${where}`, { httpStatus });
}
