import type { A2AError } from '../model/errors/errors.ts';
import { type ErrorDetail, statusBody } from './wire/errors/error-details.ts';

export type { ErrorDetail } from './wire/errors/error-details.ts';

/** The details of an error's `google.rpc.Status`, in their JSON (reference: v1-bindings §5.4, §7). */
export function errorStatusDetails(error: A2AError): readonly ErrorDetail[] {
  return statusBody(error, { http: 0, grpc: '' }).details;
}
