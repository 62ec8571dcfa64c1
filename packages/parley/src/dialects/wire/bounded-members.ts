import type { InputLimits } from '../../model/input-limits.ts';
import type { Violations } from './errors/violations.ts';
import { type ListBound, Members, type Read, type TextBound } from './members.ts';
import type { SecondName } from './snake-case.ts';

/**
 * The members of a request: texts and lists that are longer than the server allows are violations. A field that names
 * no bound has the strictest one.
 */
export class BoundedMembers extends Members {
  private readonly limits: InputLimits;

  constructor(
    record: Readonly<Record<string, unknown>>,
    violations: Violations,
    parent: Members | undefined,
    ownName: string,
    index: number | undefined,
    limits: InputLimits,
  ) {
    super(record, violations, parent, ownName, index);
    this.limits = limits;
  }

  protected override child(record: Readonly<Record<string, unknown>>, name: string, index?: number): Members {
    return new BoundedMembers(record, this.violations, this, name, index, this.limits);
  }

  override string(name: string, snakeName?: SecondName, bound: TextBound = 'idLength'): string | undefined {
    const text = super.string(name, snakeName);
    return text !== undefined && this.isTooLong(name, text, bound) ? undefined : text;
  }

  override requiredText(name: string, snakeName?: SecondName, bound: TextBound = 'idLength'): string {
    const text = super.requiredText(name, snakeName);
    return this.isTooLong(name, text, bound) ? '' : text;
  }

  override texts(
    name: string,
    snakeName?: SecondName,
    bound: ListBound = 'listLength',
    each: TextBound = 'idLength',
  ): readonly string[] | undefined {
    const given = this.value(name, snakeName);
    const most = this.limits[bound];
    if (Array.isArray(given) && given.length > most) {
      this.reject(name, `must have at most ${most} elements; this one has ${given.length}`);
      return undefined;
    }
    const texts = super.texts(name, snakeName);
    if (texts) for (const [index, text] of texts.entries()) this.isTooLong(`${name}[${index}]`, text, each);
    return texts;
  }

  /** Refused before it is read: the only lists of objects in requests are those of parts. */
  override list<Value>(name: string, snakeName: SecondName | undefined, read: Read<Value>): readonly Value[] {
    const given = this.value(name, snakeName);
    const { parts: most } = this.limits;
    if (!Array.isArray(given) || given.length <= most) return super.list(name, snakeName, read);
    this.reject(name, `must have at most ${most} elements; this one has ${given.length}`);
    return [];
  }

  private isTooLong(name: string, { length }: string, bound: TextBound): boolean {
    if (bound === 'content' || length <= this.limits[bound]) return false;
    this.reject(name, `must have at most ${this.limits[bound]} characters; this one has ${length}`);
    return true;
  }
}
