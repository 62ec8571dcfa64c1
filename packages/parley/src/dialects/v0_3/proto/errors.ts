import { A2AError, type WireError } from '../../../model/errors/errors.ts';
import type { OperationName } from '../../../model/operations.ts';
import { errorOf as errorOfAnyForm } from '../errors.ts';

const PARTS = 'message.parts';

/** Faults that are found after the message was read name its parts as the model does, not as this form. */
export function errorOf(error: A2AError, operation: OperationName | undefined): WireError {
  const known = errorOfAnyForm(error, operation);
  const { code, message, metadata, violations } = known;
  if (!message.includes(PARTS)) return known;
  const renamed = new A2AError(code, toContent(message), {
    metadata,
    violations: violations.map(({ field, description }) => ({ field: toContent(field), description })),
    cause: known,
  });
  return A2AError.from(renamed);
}

function toContent(text: string): string {
  return text.replaceAll(PARTS, 'message.content');
}
