import { A2AError, isJsonRpcError, isRestError } from '@a2a-js/sdk/errors';
import { expect } from 'vitest';
import type { Row } from './rows.ts';

/** What an error must be for the client. */
export interface Expected {
  /** The SDK's class. */
  readonly type: new (
    ...args: never[]
  ) => A2AError;
  /** In JSON-RPC. */
  readonly code: number;
  /** In HTTP+JSON. */
  readonly status: number;
}

/**
 * An attempt must fail with one of the SDK's typed errors. What it says about the wire differs: in 0.3 HTTP+JSON the
 * SDK's errors have neither code nor status.
 */
export async function expectError(row: Row, attempt: Promise<unknown>, expected: Expected): Promise<A2AError> {
  const error = await failureOf(attempt);
  if (!(error instanceof A2AError)) throw new Error(`Not an error of A2A: ${String(error)}`, { cause: error });
  expect(error).toBeInstanceOf(expected.type);
  if (row.binding === 'JSONRPC') expect(isJsonRpcError(error) && error.envelopeCode).toBe(expected.code);
  else if (row.binding === 'HTTP+JSON' && row.version === '1.0')
    expect(isRestError(error) && error.statusCode).toBe(expected.status);
  return error;
}

/** The same for a stream that cannot begin: the SDK accepts nothing but events there, so the error comes as one, with 200. */
export function expectStreamError(row: Row, attempt: Promise<unknown>, expected: Expected): Promise<A2AError> {
  return expectError(row, attempt, { ...expected, status: 200 });
}

/** What an attempt fails with; of an error that came inside of a stream, which the SDK wraps, its cause. */
export async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
  } catch (error) {
    const wraps = error instanceof Error && error.message.startsWith('SSE event contained an error');
    return wraps ? error.cause : error;
  }
  throw new Error('It did not fail');
}
