import { withoutPasswords } from './hidden.ts';
import type { Setting } from './setting.ts';

/** The source of a value. Later ones win. */
export const ORIGINS = ['default', 'file', 'environment', 'flag'] as const;
type Origin = (typeof ORIGINS)[number];

/** A value of a setting, and who gave it. */
export interface Given {
  readonly setting: Setting;
  readonly value: unknown;
  readonly origin: Origin;
  /** The name of the file, the variable or the flag. */
  readonly by: string;
}

/** Finds the word that was probably meant, if any is near enough. */
export type Suggest = (word: string, known: readonly string[]) => string | undefined;

/** Wrong settings, all of them at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Says what would be right. A secret is not repeated. */
export function wrongValue(who: string, { kind, isSecret }: Setting, value: unknown): string {
  return `${who} must be ${kind.expects}${isSecret ? '' : `, not ${shown(value)}`}`;
}

const LONGEST_SHOWN = 80;

function shown(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return cut(withoutPasswords(text));
}

function cut(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
