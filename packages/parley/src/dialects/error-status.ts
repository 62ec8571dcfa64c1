import { type A2AError, wireCode } from '../model/errors/errors.ts';
import { type ErrorDetail, errorDetails } from './wire/errors/error-details.ts';
import { ERROR_TYPES } from './wire/errors/error-types.ts';

export type { ErrorDetail } from './wire/errors/error-details.ts';

/** The details of an error's `google.rpc.Status`, in their JSON (reference: v1-bindings §5.4, §7). */
export function errorStatusDetails(error: A2AError): readonly ErrorDetail[] {
  return errorDetails(error);
}

/** The name of an error in the documents, e.g. `TaskNotFoundError` (reference: v03 §5). */
export function errorTypeOf({ code }: A2AError): string {
  return ERROR_TYPES[wireCode(code)];
}
