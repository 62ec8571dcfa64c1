import { type A2AError, type FieldViolation, isProtocolError } from '../../model/errors.ts';

interface ErrorInfo {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
  reason: string;
  domain: 'a2a-protocol.org';
  metadata?: Readonly<Record<string, string>>;
}

interface BadRequest {
  '@type': 'type.googleapis.com/google.rpc.BadRequest';
  fieldViolations: FieldViolation[];
}

export type ErrorDetail = ErrorInfo | BadRequest;

/**
 * The details of an error (reference: v1-bindings §4.3, §5.4): who reads them decides by `reason`, since bindings
 * share codes. Errors that are not of the protocol have one only where there are facts to tell.
 */
export function errorDetails(error: A2AError): readonly ErrorDetail[] | undefined {
  const details: ErrorDetail[] = [];
  const hasMetadata = Object.keys(error.metadata).length > 0;
  if (isProtocolError(error.code) || hasMetadata) {
    const info: ErrorInfo = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: error.code,
      domain: 'a2a-protocol.org',
    };
    if (hasMetadata) info.metadata = error.metadata;
    details.push(info);
  }
  if (error.violations.length > 0) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: error.violations.map(({ field, description }) => ({ field, description })),
    });
  }
  return details.length > 0 ? details : undefined;
}
