import { isPlainObject } from '../../model/basics/json.ts';
import type { SkilledAgent } from '../../model/extensions/skills.ts';
import {
  anything,
  type Check,
  type Checks,
  called,
  duration,
  filled,
  having,
  listOf,
  members,
  object,
  oneOf,
  orElse,
  takes,
  takesUnseen,
  text,
  texts,
} from '../../model/options/checks.ts';
import type { TrustingClientOptions } from '../every-dialect-client.ts';
import type { ClientLimits, Preference, ReconnectOptions, RetryOptions } from '../options.ts';

const isText = (value: unknown): boolean => typeof value === 'string';

/** True for an object, as one writes it, whose members have such values, or none. */
function isRecordOf(value: unknown, fits: (member: unknown) => boolean): boolean {
  if (!isPlainObject(value) || value instanceof Headers || value instanceof Map) return false;
  return Object.values(value).every((member) => member === undefined || fits(member));
}

function isCredential(value: unknown): boolean {
  if (isText(value)) return true;
  if (!isPlainObject(value)) return false;
  const { username, password, clientId, clientSecret } = value;
  return (isText(username) && isText(password)) || (isText(clientId) && isText(clientSecret));
}

const attempts = takes(
  'a whole number that is not negative, or Infinity',
  (value) => value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 0),
);

const size = takes('a number of bytes of at least 1', (value) => typeof value === 'number' && value >= 1);

const RETRY: Checks<RetryOptions> = { attempts, firstDelay: duration, longestDelay: duration };

const RECONNECT: Checks<ReconnectOptions> = { ...RETRY, idleTimeout: duration };

const LIMITS: Checks<ClientLimits> = { cardBytes: size, bodyBytes: size, eventBytes: size, taskBytes: size };

const PREFERENCE: Checks<Preference> = { binding: filled, version: oneOf('1.0', '0.3') };

const dialect = takes(
  'a dialect, such as jaf of parley-a2a/dialects',
  (value) => isPlainObject(value) && isText(value.name),
);

const binding = takes(
  'a binding, with protocolBinding and open',
  (value) => isPlainObject(value) && isText(value.protocolBinding) && typeof value.open === 'function',
);

export const headers: Check = takesUnseen('an object whose values are strings', (value) => isRecordOf(value, isText));

export const signal: Check = having('an AbortSignal', 'throwIfAborted', 'addEventListener');

/** The values of the client's options. What stands for itself is checked where it is used. */
export const CLIENT_OPTIONS: Checks<TrustingClientOptions<SkilledAgent>> = {
  headers: (value, name) =>
    typeof value === 'function' ? undefined : headers(value, name)?.replace(/, not /, ', or a function, not '),
  timeout: duration,
  agentCardPath: text,
  rpcPath: text,
  protocol: text,
  dialects: listOf(dialect, 'a list of dialects'),
  checkCard: called,
  verifyCard: called,
  trust: object,
  fetch: called,
  prefer: members(PREFERENCE),
  bindings: listOf(binding, 'a list of bindings'),
  retry: orElse(members(RETRY), false),
  reconnect: orElse(members(RECONNECT), false),
  onReconnect: called,
  credentials: takesUnseen(
    'credentials by the names of schemes, such as { bearer: token }, or a function',
    (value) => typeof value === 'function' || isRecordOf(value, isCredential),
  ),
  oauth: having('an object with the function token, such as clientCredentials()', 'token'),
  allowedOrigins: texts,
  answering: called,
  interceptors: listOf(called, 'a list of functions'),
  extensions: texts,
  signal,
  limits: members(LIMITS),
  fileEncoding: object,
  timing: object,
  tools: object,
  onInput: called,
  agent: anything,
};
