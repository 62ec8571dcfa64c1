import type { TaskStatus } from 'parley-a2a/client';
import { openQuestionsOf } from 'parley-a2a/extensions';

/** The reason why an answer must not be written where everybody sees it; undefined where it may. */
export function blockedReason(status: TaskStatus | undefined): string | undefined {
  if (status?.message === undefined) return undefined;
  const isSecret =
    status.state === 'auth-required' || openQuestionsOf(status.message).some(({ sensitive }) => sensitive === true);
  return isSecret ? 'The answer is a secret: use the form above' : undefined;
}
