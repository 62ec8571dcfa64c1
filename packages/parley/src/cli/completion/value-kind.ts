import { type OptionName, specOf } from '../options.ts';

/** The values that a shell offers for an option. */
export type ValueKind =
  | { readonly kind: 'none' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'text' };

const WORDS = /^[a-z]+(?:\|[a-z]+)+$/;
const FILES: ReadonlySet<string> = new Set(['FILE', 'PATH', 'DIR', 'NEW', 'PLACE', 'SPEC', 'JSON|@FILE']);

/** Reads it from the placeholder that help shows. */
export function valueKindOf(name: OptionName): ValueKind {
  const { type, value = '' } = specOf(name);
  if (type === 'boolean') return { kind: 'none' };
  if (WORDS.test(value)) return { kind: 'words', words: value.split('|') };
  return { kind: FILES.has(value) ? 'files' : 'text' };
}
