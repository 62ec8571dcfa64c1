import type { Kind } from './kinds.ts';

/** One setting of a server, by its place in a configuration file. */
export interface Setting {
  /** The place: `port`, `limits.runTimeout`. */
  readonly name: string;
  readonly kind: Kind;
  /** One sentence for people. */
  readonly about: string;
  /** The value in force where none is set; undefined if there is none. */
  readonly default?: unknown;
  /** The option of the command line that sets it. */
  readonly flag?: string | undefined;
  /** The kind of the flag's text, if it differs: seconds for a time. */
  readonly flagKind?: Kind | undefined;
  /** A flag that is short for the other one; only one of them may be given. */
  readonly shortFlag?: string | undefined;
  /** A flag that sets it to false; only one of them may be given. */
  readonly offFlag?: string | undefined;
  /** Other names of its variable. */
  readonly aliases?: readonly string[] | undefined;
  /** It is never shown. */
  readonly isSecret?: boolean | undefined;
  /** It names a file: in a configuration file relative to that one, elsewhere to the folder that the command runs in. */
  readonly isPath?: boolean | undefined;
  /** Only a program can give it. */
  readonly isProgramValue?: boolean | undefined;
}

/** The variable of a setting: `limits.runTimeout` is `PARLEY_LIMITS_RUN_TIMEOUT`. */
export function variableOf(name: string): string {
  const words = name.replaceAll('.', '_').replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return `PARLEY_${words.toUpperCase()}`;
}
