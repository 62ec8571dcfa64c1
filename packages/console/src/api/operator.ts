import { OperatorError } from './operator-error.ts';
import { ownFetch } from './transport.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Where this server's A2A routes begin; the page says so where it is not `/a2a`. */
export const BASE_PATH = document.querySelector<HTMLMetaElement>('meta[name="parley-base"]')?.content ?? '/a2a';

/** Reads one of the operators' routes, e.g. `server` or `tasks/ID/events`. */
export function getOperator<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return callOperator<T>(path, { query, signal });
}

/** Asks one of the operators' routes to do something. */
export function postOperator<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return callOperator<T>(path, { body, signal });
}

interface OperatorCall {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

async function callOperator<T>(path: string, { query = {}, body, signal }: OperatorCall): Promise<T> {
  const response = await ownFetch(operatorUrl(path, query), {
    ...(body !== undefined && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(signal && { signal }),
  });
  if (!response.ok) throw await refusalOf(response);
  return (await response.json()) as T;
}

export function operatorUrl(path: string, query: Query = {}): string {
  const url = new URL(`${BASE_PATH}/operator/${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** A response that is no success, as an error in words; problem details (RFC 9457) bring their own. */
export async function refusalOf(response: Response): Promise<OperatorError> {
  const problem = await response
    .clone()
    .json()
    .then((value: unknown) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}))
    .catch(() => ({}) as Record<string, unknown>);
  const words = [problem.detail, problem.title].find((text) => typeof text === 'string' && text !== '');
  const fallback = `The server answered ${response.status} ${response.statusText}`.trim();
  return new OperatorError(
    response.status,
    typeof words === 'string' ? words : `${fallback}.`,
    adviceFor(response.status),
    response.headers.get('www-authenticate') ?? undefined,
  );
}

function adviceFor(status: number): string | undefined {
  if (status === 401) return 'Sign in with the token or key of an operator.';
  if (status === 403) return 'Your credential does not have the scope parley:operator. Sign in with another one.';
  if (status === 404) return 'It may have been removed, or this server does not have it.';
  if (status === 429 || status === 503) return 'Wait a moment and try again.';
  return status >= 500 ? 'The log of the server says more.' : undefined;
}
