import { type FieldViolation, invalidParams } from '../../../model/errors/errors.ts';

const MOST_REPORTED = 10;

/**
 * The faults of one wire value. The tenth ends the reading, unless everything is to be read: nobody repairs a longer list
 * at once.
 */
export class Violations {
  readonly list: FieldViolation[] = [];
  readonly #strict: boolean;

  constructor(strict = true) {
    this.#strict = strict;
  }

  add(field: string, description: string): void {
    if (this.list.length < MOST_REPORTED) this.list.push({ field, description });
    if (this.#strict && this.list.length >= MOST_REPORTED) this.throwIfAny();
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw invalidParams(...this.list);
  }
}
