import type { Caller } from '../../model/call.ts';
import { A2AError } from '../../model/errors.ts';

/** The scope of those who run the server. */
export const OPERATOR_SCOPE = 'parley:operator';

/** Refuses a caller who does not run the server. An anonymous one is asked for credentials. */
export function requireOperator({ subject, scopes }: Caller): void {
  if (scopes.includes(OPERATOR_SCOPE)) return;
  if (subject === '') throw new A2AError('UNAUTHENTICATED', 'Credentials are missing');
  throw new A2AError('PERMISSION_DENIED', 'This is for those who run the server');
}
