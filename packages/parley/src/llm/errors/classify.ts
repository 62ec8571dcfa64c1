import { isObject } from '../../model/basics/json.ts';
import { retryAfterMs } from '../../model/basics/retry-after.ts';
import { CutStreamError, ResponseTooLongError, SilentModelError } from './failures.ts';

/** The kinds of failures of a model call: what callers, logs and metrics are told. */
export type ModelErrorKind =
  | 'rate-limited'
  | 'overloaded'
  | 'unreachable'
  | 'cut'
  | 'credentials'
  | 'no-such-model'
  | 'too-long'
  | 'refused'
  | 'timeout'
  | 'failed';

export interface ModelError {
  readonly kind: ModelErrorKind;
  /** Another attempt may succeed. */
  readonly mayPass: boolean;
  /** The HTTP status of the provider's response. */
  readonly status?: number | undefined;
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfter?: number | undefined;
}

const MAY_PASS: ReadonlySet<ModelErrorKind> = new Set(['rate-limited', 'overloaded', 'unreachable', 'cut', 'timeout']);

/** The sentences that callers read. Nothing of the provider's own words is in them: those may hold keys and addresses. */
const SENTENCES: Readonly<Record<ModelErrorKind, string>> = {
  'rate-limited': "The model's provider is rate limited; try again later",
  overloaded: "The model's provider is overloaded or failing; try again later",
  unreachable: "The model's provider cannot be reached; try again later",
  cut: "The model's response was cut off; try again later",
  credentials: "The model's provider refused the credentials of this agent",
  'no-such-model': "The model's provider does not have the model of this agent",
  'too-long': 'The conversation or the response is too long for the model of this agent',
  refused: "The model's provider refused the request",
  timeout: "The model's provider did not respond in time; try again later",
  failed: 'The model call failed',
};

export function sentenceOf(kind: ModelErrorKind): string {
  return SENTENCES[kind];
}

/** Tells the kind of what a model call threw. The AI SDK's own errors are read by their members, whatever copy made them. */
export function classify(thrown: unknown): ModelError {
  const error = innermost(thrown);
  const status = statusOf(error);
  const kind = kindOf(error, status);
  const retryAfter = retryAfterOf(error);
  return {
    kind,
    mayPass: MAY_PASS.has(kind),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

type Known = Readonly<Record<string, unknown>>;

function kindOf(error: Known, status: number | undefined): ModelErrorKind {
  if ((error as object) instanceof CutStreamError) return 'cut';
  if ((error as object) instanceof ResponseTooLongError) return 'too-long';
  if ((error as object) instanceof SilentModelError) return 'timeout';
  if (status !== undefined) return kindOfStatus(status, error);
  const words = `${wordsOf(error.type)} ${wordsOf(error.code)} ${wordsOf(error.name)}`.toLowerCase();
  if (/rate_?limit/.test(words)) return 'rate-limited';
  if (/overload|unavailable|server_error|internal_error/.test(words)) return 'overloaded';
  if (/authentication|permission|loadapikey|invalid_api_key/.test(words)) return 'credentials';
  if (/nosuchmodel|model_not_found/.test(words)) return 'no-such-model';
  if (/context_length/.test(words)) return 'too-long';
  if (/timeout/.test(words)) return 'timeout';
  if (/nooutputgenerated|emptyresponsebody|invalidresponsedata/.test(words)) return 'cut';
  if (isNetworkError(error)) return 'unreachable';
  return 'failed';
}

function kindOfStatus(status: number, error: Known): ModelErrorKind {
  if (status === 401 || status === 403) return 'credentials';
  if (status === 404) return 'no-such-model';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'too-long';
  if (status === 429) return 'rate-limited';
  if (status === 409 || status >= 500) return 'overloaded';
  if (status >= 400) return /context_length|too long|maximum context/i.test(bodyOf(error)) ? 'too-long' : 'refused';
  // The response came, and broke.
  return isNetworkError(error) ? 'cut' : 'failed';
}

const NETWORK = /^(E(CONN|PIPE|HOST|NET|AI_AGAIN|TIMEDOUT)|ENOTFOUND|UND_ERR)/;

function isNetworkError(error: Known): boolean {
  for (let one: unknown = error, depth = 0; isObject(one) && depth < 5; one = one.cause, depth += 1) {
    if (NETWORK.test(wordsOf(one.code))) return true;
    if (one.name === 'TypeError' && /fetch failed|terminated|network|load failed/i.test(wordsOf(one.message)))
      return true;
    if (/cannot connect to api|socket hang up/i.test(wordsOf(one.message))) return true;
  }
  return false;
}

/** The last error of those that attempts inside of the AI SDK have met. */
function innermost(thrown: unknown): Known {
  if (!isObject(thrown)) return {};
  const { lastError } = thrown;
  if (isObject(lastError)) return lastError;
  // Errors inside of a stream are sometimes plain objects around the provider's own.
  if (!(thrown instanceof Error) && isObject(thrown.error)) return thrown.error;
  return thrown;
}

function statusOf(error: Known): number | undefined {
  for (let one: unknown = error, depth = 0; isObject(one) && depth < 3; one = one.cause, depth += 1) {
    for (const status of [one.statusCode, one.status]) if (typeof status === 'number' && status >= 100) return status;
  }
  return undefined;
}

function retryAfterOf(error: Known): number | undefined {
  const headers = isObject(error.responseHeaders) ? error.responseHeaders : {};
  const milliseconds = Number.parseFloat(wordsOf(headers['retry-after-ms']));
  if (milliseconds >= 0) return milliseconds;
  // A date in the past asks for nothing.
  return retryAfterMs(wordsOf(headers['retry-after']), Date.now()) || undefined;
}

function bodyOf(error: Known): string {
  return `${wordsOf(error.message)} ${wordsOf(error.responseBody)}`;
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
