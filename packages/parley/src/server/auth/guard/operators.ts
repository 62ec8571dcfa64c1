import type { Caller } from '../../../model/call.ts';
import { A2AError } from '../../../model/errors/errors.ts';

/** The scope of those who run the server. */
export const OPERATOR_SCOPE = 'parley:operator';

/** Credentials of a tenant never reach beyond it, whatever scopes they have. */
export function isOperator({ scopes, tenant }: Pick<Caller, 'scopes' | 'tenant'>): boolean {
  return tenant === '' && scopes.includes(OPERATOR_SCOPE);
}

/** Refuses a caller who does not run the server. An anonymous one is asked for credentials, others for the scope if they lack it. */
export function requireOperator(caller: Caller): void {
  if (isOperator(caller)) return;
  if (caller.subject === '') throw new A2AError('UNAUTHENTICATED', 'Credentials are missing');
  const metadata: Readonly<Record<string, string>> = caller.scopes.includes(OPERATOR_SCOPE)
    ? {}
    : { scope: OPERATOR_SCOPE };
  throw new A2AError(
    'PERMISSION_DENIED',
    `This is for those who run the server: it needs the scope "${OPERATOR_SCOPE}", and credentials of no tenant`,
    { metadata },
  );
}
