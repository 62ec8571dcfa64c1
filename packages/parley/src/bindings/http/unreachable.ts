import { A2AError, isA2AError, quoted } from '../../model/errors/errors.ts';

/** The error for a request that got no answer, with the reason as far as the runtime tells it. One of ours stays as it is. */
export function unreachable(url: string, error: unknown): A2AError {
  if (isA2AError(error)) return error;
  const { host, origin } = URL.parse(url) ?? { host: quoted(url), origin: undefined };
  return new A2AError('UNREACHABLE', `No connection to ${host}${reasonOf(error)}${corsHint(origin, error)}`, {
    cause: error,
  });
}

/** `fetch` hides what happened one level down. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const words = cause instanceof Error ? cause.message : '';
  return words === '' ? '' : `: ${quoted(words)}`;
}

/**
 * Browsers give one and the same error for a dead host and for an agent that does not let the page call it. The second is
 * the likelier one where the agent has another origin than the page. Other runtimes tell the cause.
 */
function corsHint(origin: string | undefined, error: unknown): string {
  const page = (globalThis as { readonly location?: { readonly origin?: unknown } }).location?.origin;
  const isExplained = (error as { readonly cause?: unknown } | null | undefined)?.cause !== undefined;
  if (typeof page !== 'string' || page === origin || isExplained) return '';
  return ` (browsers do not say why; another origin must allow ${quoted(page)} by CORS)`;
}
