import type { JsonObject } from '../../../model/basics/json.ts';
import type { Caller } from '../../../model/call.ts';
import type { Authenticated } from '../combine.ts';

const NO_SCOPES: readonly string[] = [];
const NO_CLAIMS: JsonObject = {};

/** The caller whom an authenticator has identified. */
export function identifiedCaller({ identity, scheme }: Authenticated): Caller {
  const { subject, tenant = '', scopes = NO_SCOPES, claims = NO_CLAIMS } = identity;
  return { subject, tenant, scopes, claims, scheme };
}
