import type { BindingCaller, BindingCallerLimits, BindingCallOptions } from '../../../src/bindings/caller.ts';
import { jsonRpcCaller } from '../../../src/bindings/jsonrpc/client.ts';
import { learningCaller } from '../../../src/bindings/rest/learning.ts';
import { CALLING_DIALECTS } from '../../../src/dialects/calling/calling-dialects.ts';
import { FileHabits } from '../../../src/dialects/file-encoding.ts';
import { type A2AError, isA2AError } from '../../../src/model/errors/errors.ts';

export type Fetch = typeof fetch;
export type BindingName = 'JSONRPC' | 'HTTP+JSON';

/** A version over a binding. */
export interface Way {
  readonly version: '1.0' | '0.3';
  readonly binding: BindingName;
}

export const WAYS: readonly Way[] = [
  { version: '1.0', binding: 'JSONRPC' },
  { version: '1.0', binding: 'HTTP+JSON' },
  { version: '0.3', binding: 'JSONRPC' },
  { version: '0.3', binding: 'HTTP+JSON' },
];

export const LIMITS: BindingCallerLimits = { bodyBytes: 4_000_000, eventBytes: 1_000_000 };
export const CALL: BindingCallOptions = { headers: {}, signal: undefined };

export interface CallerSettings {
  readonly fetch: Fetch;
  readonly url?: string;
  readonly limits?: Partial<BindingCallerLimits>;
  /** Default: as to a server of our own. */
  readonly files?: FileHabits;
}

export function callerOf({ version, binding }: Way, settings: CallerSettings): BindingCaller {
  const dialect = CALLING_DIALECTS.find((candidate) => candidate.version === version);
  if (!dialect) throw new Error(`No dialect ${version}`);
  const { fetch, url = 'http://agent.test/a2a', limits, files = new FileHabits({}, () => true) } = settings;
  const options = { url, dialect, fetch, limits: { ...LIMITS, ...limits } };
  return binding === 'JSONRPC' ? jsonRpcCaller(options) : learningCaller(options, files);
}

/** The error that a call ends with; fails if it succeeds or throws anything else. */
export async function errorOf(call: Promise<unknown>): Promise<A2AError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) throw new Error(`The call succeeded: ${JSON.stringify(outcome.value)}`);
  if (isA2AError(outcome.error)) return outcome.error;
  throw new Error(`The call threw something else: ${String(outcome.error)}`, { cause: outcome.error });
}

export async function collected<Value>(values: Promise<AsyncIterable<Value>> | AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of await values) all.push(value);
  return all;
}
