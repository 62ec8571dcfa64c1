import { BASE_PATH } from '../api/operator.ts';
import { ownFetch } from '../api/transport.ts';

/** What the server says of its own health. */
export interface Readiness {
  readonly isReady: boolean;
  /** Why it is not. */
  readonly problem?: string | undefined;
}

/** An unhealthy server responds with 503 and a reason; that is an answer and no failure. */
export async function readReadiness(signal: AbortSignal): Promise<Readiness> {
  const response = await ownFetch(new URL(`${BASE_PATH}/health`, location.origin), { signal });
  const body = (await response.json().catch(() => ({}))) as { readonly status?: unknown; readonly detail?: unknown };
  if (response.ok && body.status === 'ok') return { isReady: true };
  if (body.status === 'draining') return { isReady: false, problem: 'It is being stopped and takes no new work.' };
  return {
    isReady: false,
    problem: typeof body.detail === 'string' ? body.detail : `It responded ${response.status}.`,
  };
}
