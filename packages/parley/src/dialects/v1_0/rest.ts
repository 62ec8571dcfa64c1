import type { A2AError } from '../../model/errors/errors.ts';
import type { RestPaths, RestStatus, WireValue } from '../dialect.ts';
import { statusBody } from '../wire/errors/error-details.ts';

export const PATHS: RestPaths = { prefix: undefined, extendedCard: 'extendedAgentCard', lists: true, tenants: true };

/** reference: v1-bindings §5.1. */
export const MEDIA_TYPES: readonly string[] = ['application/json', 'application/a2a+json'];

/** The JSON form of `google.rpc.Status` under one member (reference: v1-bindings §5.4). */
export function errorBody(error: A2AError, status: RestStatus): WireValue {
  return { error: statusBody(error, status) };
}
