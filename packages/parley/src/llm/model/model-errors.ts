import { wasNeverSent, wasNotAccepted } from '../../client/call/failures.ts';
import { type A2AError, isA2AError } from '../../model/errors/errors.ts';
import { loadAi } from '../ai.ts';

interface FailedCall {
  readonly url: string;
  /** The agent has begun to work: the same again would be done twice. */
  readonly hasBegun: boolean;
}

/**
 * An error of the client as the AI SDK has them: it sends those again that say so, and they say so only where the agent
 * certainly did not take the message. Where the SDK cannot be had, the error stays as it is.
 */
export async function toSdkError(error: unknown, { url, hasBegun }: FailedCall): Promise<unknown> {
  if (!isA2AError(error)) return error;
  const ai = await loadAi().catch(() => undefined);
  if (!ai) return error;
  const { message, code, httpStatus, retryAfter, task } = error;
  const ids = task && { taskId: task.id, contextId: task.contextId, state: task.status.state };
  return new ai.APICallError({
    message,
    url,
    requestBodyValues: undefined,
    isRetryable: !hasBegun && !task && mayBeSentAgain(error),
    data: { code, ...ids },
    cause: error,
    ...(httpStatus !== undefined && { statusCode: httpStatus }),
    ...(retryAfter !== undefined && { responseHeaders: { 'retry-after-ms': String(retryAfter) } }),
  });
}

function mayBeSentAgain(error: A2AError): boolean {
  return wasNotAccepted(error) || wasNeverSent(error) || error.code === 'OVERLOADED' || error.code === 'UNAVAILABLE';
}
