import { type A2AError, type FieldViolation, invalidParams } from '../../model/errors.ts';

const MOST_REPORTED = 10;

/** What is wrong with one wire value. The tenth finding ends the reading: nobody repairs a longer list at once. */
export class Violations {
  private readonly found: FieldViolation[] = [];

  add(field: string, description: string): void {
    this.found.push({ field, description });
    if (this.found.length >= MOST_REPORTED) throw this.toError();
  }

  throwIfAny(): void {
    if (this.found.length > 0) throw this.toError();
  }

  private toError(): A2AError {
    return invalidParams(...this.found);
  }
}
