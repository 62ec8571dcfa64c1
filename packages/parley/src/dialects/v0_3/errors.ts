import { A2AError, type FieldViolation, type WireError } from '../../model/errors/errors.ts';
import type { OperationName } from '../../model/operations.ts';

/** The `data` of an error: its facts, and the fields that are wrong. 0.3 leaves its shape open. */
export type ErrorData = Readonly<Record<string, string | readonly FieldViolation[]>>;

export function errorDetails({ metadata, violations }: A2AError): ErrorData | undefined {
  if (violations.length > 0) {
    return { ...metadata, fieldViolations: violations.map(({ field, description }) => ({ field, description })) };
  }
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}

/** A card that says it has no extended card is one without a configured one (reference: v03 §6). */
export function errorOf(error: A2AError, operation: OperationName | undefined): WireError {
  if (operation !== 'getExtendedCard' || error.code !== 'UNSUPPORTED_OPERATION') return A2AError.from(error);
  const { message, metadata, violations } = error;
  return A2AError.from(
    new A2AError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', message, { metadata, violations, cause: error }),
  );
}
