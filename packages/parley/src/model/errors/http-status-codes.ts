import type { OperationName } from '../operations.ts';
import type { WireErrorCode } from './errors.ts';

/** The meaning of a status in HTTP itself, whatever the body is. Both error tables of 1.0 are met (v1-bindings §2). */
const TRANSPORT_CODES: Readonly<Record<number, WireErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  405: 'METHOD_NOT_ALLOWED',
  408: 'UNAVAILABLE',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'OVERLOADED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

const NEAREST_CODES: Readonly<Record<number, WireErrorCode>> = {
  ...TRANSPORT_CODES,
  400: 'INVALID_PARAMS',
  404: 'NOT_FOUND',
  415: 'CONTENT_TYPE_NOT_SUPPORTED',
  422: 'INVALID_PARAMS',
  501: 'UNSUPPORTED_OPERATION',
};

/** The code of a status that speaks for itself. */
export function transportCodeOf(status: number): WireErrorCode | undefined {
  return TRANSPORT_CODES[status];
}

/** The nearest code where nothing but the status tells. */
export function nearestCodeOf(status: number): WireErrorCode {
  return NEAREST_CODES[status] ?? 'INTERNAL';
}

/** The code that a status stands for in the answer to one operation, as the tables of 0.3 and 1.0.0 have it. */
export function operationCodeOf(status: number, subject: ErrorSubject): WireErrorCode | undefined {
  if (status === 404 && subject.namesTask) return 'TASK_NOT_FOUND';
  return status === 409 && subject.operation === 'cancelTask' ? 'TASK_NOT_CANCELABLE' : undefined;
}

/** The request that an error is about. */
export interface ErrorSubject {
  readonly operation: OperationName;
  /** True where the request names a task, so that a 404 means the task. */
  readonly namesTask: boolean;
}
