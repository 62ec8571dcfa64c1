import type { JsonObject } from '../basics/json.ts';
import type { Message, Task } from '../task.ts';

/** Errors quote what they were given, and that may be a megabyte long. */
const LONGEST_MESSAGE = 1000;
const LONGEST_VALUE = 400;

/** The nine errors of the protocol (reference: v1-bindings §2). Their names are the `reason` on the wire. */
export const PROTOCOL_ERROR_CODES = [
  'TASK_NOT_FOUND',
  'TASK_NOT_CANCELABLE',
  'PUSH_NOTIFICATION_NOT_SUPPORTED',
  'UNSUPPORTED_OPERATION',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'INVALID_AGENT_RESPONSE',
  'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  'EXTENSION_SUPPORT_REQUIRED',
  'VERSION_NOT_SUPPORTED',
] as const;

/** Errors that any request can meet, whatever the protocol says. */
export const GENERAL_ERROR_CODES = [
  'PARSE_ERROR',
  'INVALID_REQUEST',
  'METHOD_NOT_FOUND',
  'INVALID_PARAMS',
  'INTERNAL',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'PAYLOAD_TOO_LARGE',
  'OVERLOADED',
  'UNAVAILABLE',
] as const;

/**
 * Errors that a client raises itself; they are never on a wire. `UNREACHABLE`: no connection. `TIMEOUT`: no response in
 * time. `STREAM_INTERRUPTED`: a stream was lost for good. `INVALID_RESPONSE`: the response is not A2A, such as a
 * proxy's error page (INVALID_AGENT_RESPONSE is an error that the peer sends). `TASK_NOT_COMPLETED`: the task ended in
 * another state. `UNTRUSTED_CARD`: no trusted key has signed the agent's card.
 */
export const CLIENT_ERROR_CODES = [
  'UNREACHABLE',
  'TIMEOUT',
  'STREAM_INTERRUPTED',
  'INVALID_RESPONSE',
  'TASK_NOT_COMPLETED',
  'UNTRUSTED_CARD',
] as const;

type ProtocolErrorCode = (typeof PROTOCOL_ERROR_CODES)[number];
/** Codes that a server may send. */
export type WireErrorCode = ProtocolErrorCode | (typeof GENERAL_ERROR_CODES)[number];
type ClientErrorCode = (typeof CLIENT_ERROR_CODES)[number];
export type A2AErrorCode = WireErrorCode | ClientErrorCode;

/** One field that is wrong and what would be right. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export interface A2AErrorOptions {
  /** Facts for programs, sent to the peer (`ErrorInfo.metadata`). */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The wrong fields, for INVALID_PARAMS. */
  readonly violations?: readonly FieldViolation[] | undefined;
  /** Facts that are lists, for dialects that have a place for them. */
  readonly lists?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The cause, for the log; the server never sends it to the peer. */
  readonly cause?: unknown;
  /** The peer's own name for the error, if it is not a known code. */
  readonly reason?: string | undefined;
  /** The status of the HTTP response that carried the error. */
  readonly httpStatus?: number | undefined;
  /** The delay that the peer asks for before another attempt, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The task that the error is about, as last seen. */
  readonly task?: Task | undefined;
  /** The task or message as the stream had delivered it before it was lost. */
  readonly received?: Task | Message | undefined;
}

/** Registered, so that two copies of this package agree on it. */
const BRAND = Symbol.for('parley.A2AError');
const PROTOCOL_ERRORS: ReadonlySet<string> = /* @__PURE__ */ new Set(PROTOCOL_ERROR_CODES);
const SHOWN = ['name', 'code', 'message', 'reason', 'httpStatus', 'retryAfter', 'metadata', 'violations'] as const;

/** The codes that a server may send. */
export const WIRE_ERRORS: ReadonlySet<unknown> = new Set([...PROTOCOL_ERROR_CODES, ...GENERAL_ERROR_CODES]);

/** The members that an error has only where they are known. */
const FACTS = ['lists', 'httpStatus', 'retryAfter', 'task', 'received'] as const;

/** The one error class: its `code` is stable, its message may be shown to a peer, its `cause` never is. */
export class A2AError extends Error {
  readonly code: A2AErrorCode;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  declare readonly lists?: A2AErrorOptions['lists'];
  declare readonly reason?: string | undefined;
  declare readonly httpStatus?: number | undefined;
  declare readonly retryAfter?: number | undefined;
  declare readonly task?: Task | undefined;
  declare readonly received?: Task | Message | undefined;

  constructor(code: A2AErrorCode, message: string, options: A2AErrorOptions = {}) {
    super(shortened(message, LONGEST_MESSAGE), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'A2AError';
    this.code = code;
    this.metadata = shortenedValues(options.metadata);
    this.violations = options.violations ?? [];
    for (const name of FACTS) if (options[name] !== undefined) Object.assign(this, { [name]: options[name] });
    if (options.reason !== undefined) this.reason = shortened(options.reason, LONGEST_VALUE);
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** For logs: all that is known of it but its cause and the tasks that it carries. */
  toJSON(): JsonObject {
    const known = SHOWN.map((name) => [name, this[name]] as const);
    return Object.fromEntries(known.filter(([, value]) => value !== undefined && !isEmpty(value))) as JsonObject;
  }

  /**
   * Anything as an error that a server can send: an unexpected failure becomes a generic internal error with the
   * original as cause, and so does a caller's error that got out of an agent.
   */
  static from(value: unknown): WireError {
    if (isA2AError(value) && !isClientError(value.code)) return value as WireError;
    return new A2AError('INTERNAL', 'Internal error', { cause: value }) as WireError;
  }
}

/**
 * Recognizes an `A2AError` of any copy of this package: `instanceof` fails where a program has loaded two, or reaches
 * one by `import` and by `require`.
 */
export function isA2AError(value: unknown): value is A2AError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}

/** An error that a server can send. */
export type WireError = A2AError & { readonly code: WireErrorCode };

export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

function shortenedValues(metadata: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, shortened(value, LONGEST_VALUE)]));
}

/** A piece of a request inside an error's message, without control characters. */
export function quoted(text: string): string {
  return shortened(text, 64).replace(/\p{Cc}/gu, '?');
}

/** True for codes that only clients raise. */
export function isClientError(code: A2AErrorCode): code is ClientErrorCode {
  return !WIRE_ERRORS.has(code);
}

/** The code as a server can send it. */
export function wireCode(code: A2AErrorCode): WireErrorCode {
  return isClientError(code) ? 'INTERNAL' : code;
}

export function isProtocolError(code: A2AErrorCode): code is ProtocolErrorCode {
  return PROTOCOL_ERRORS.has(code);
}

export function taskNotFound(taskId: string): A2AError {
  return new A2AError('TASK_NOT_FOUND', 'Task not found', { metadata: { taskId: quoted(taskId) } });
}

/** The idempotency key of a request was used for another one: invalid parameters that HTTP has a status for. */
export function keyConflict(): A2AError {
  const description = 'was used for a different request; use a new key, or send the same request again';
  const field = 'Idempotency-Key';
  return new A2AError('INVALID_PARAMS', `Invalid parameters: ${field} ${description}`, {
    violations: [{ field, description }],
    metadata: { conflict: 'idempotency-key' },
  });
}

export function isKeyConflict({ code, metadata }: A2AError): boolean {
  return code === 'INVALID_PARAMS' && metadata.conflict === 'idempotency-key';
}

/** Violations in words, to be put together as one sees fit. */
export function wordsOf(violations: readonly FieldViolation[]): readonly string[] {
  return violations.map(({ field, description }) => `${field} ${description}`);
}

export function invalidParams(...violations: readonly FieldViolation[]): A2AError {
  const summary = wordsOf(violations).join('; ');
  return new A2AError('INVALID_PARAMS', summary ? `Invalid parameters: ${summary}` : 'Invalid parameters', {
    violations,
  });
}
