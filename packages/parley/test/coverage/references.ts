/** A place in `docs/reference/` that a comment or a test names. */
export interface Reference {
  /** The page without its ending, e.g. `v03`. */
  readonly page: string;
  /** A section's number (`8`), a heading or its beginning, a seed's row (`S0.7`), or '' for the page as a whole. */
  readonly section: string;
}

/** `reference: v1-bindings §5` and `reference: v1-data-model, Enums`; a comment may break the line in between. */
const PAGE = /reference:[\s*/]*([a-z][\w-]*)(?:[\s*/]*§\s*(\d+)|,[\s*/]*([A-Z]\w*(?: [a-z]\w*)*))?/g;
/** `S0.7`, `seed S2`, `[seed:S2.5]`. */
const SEED = /\bseed[: ]S(\d+)\b(?!\.\d)|\bS(\d+\.\d+)\b/g;
/** A further page in the same brackets: `(reference: v03 §4, v1-bindings §4.4)`. */
const FURTHER = /reference:[^)]*?[,;][\s*/]+([a-z][\w-]*)[\s*/]+§\s*(\d+)/g;
/** `decision 0015`, and pages of the documents. */
const DOCUMENT = /\bdecision (\d{4})\b|\b(docs\/[\w./-]+\.md)\b/g;
/** Text that only looks like a citation: a value of a program, such as a type annotation. */
const CODE = /^(?:readonly|string|unknown|const)$/;

/** All places of the reference that a source file names. */
export function referencesIn(source: string): readonly Reference[] {
  const pages = [...source.matchAll(PAGE)]
    .filter(([, page = '']) => !CODE.test(page))
    .map(([, page = '', number, heading]) => ({ page, section: number ?? heading ?? '' }));
  const further = [...source.matchAll(FURTHER)].map(([, page = '', section = '']) => ({ page, section }));
  const rows = [...source.matchAll(SEED)].map(([, seed, row]) => ({ page: 'seeds', section: `S${seed ?? row}` }));
  return [...pages, ...further, ...rows];
}

/** What can be cited of a page: the numbers and words of its headings, and the first cells of its tables. */
export function sectionsOf(page: string): ReadonlySet<string> {
  const headings = [...page.matchAll(/^#{2,4} (?:(\d+)\. )?(.+)$/gm)].flatMap(([, number, words = '']) => [
    ...(number ? [number] : []),
    ...beginningsOf(words.replaceAll('`', '')),
  ]);
  const rows = [...page.matchAll(/^\| (S\d+\.\d+) \|/gm)].map(([, row = '']) => row);
  return new Set(['', ...headings, ...rows]);
}

/** `Validity rules beyond types` can be cited as `Validity rules`. */
function beginningsOf(heading: string): readonly string[] {
  const words = heading.split(' ');
  return words.map((_, count) => words.slice(0, count + 1).join(' '));
}

/** The documents that a source file names: decisions by their number, others by their path. */
export function documentsIn(source: string): readonly string[] {
  return [...source.matchAll(DOCUMENT)].map(([, decision, path]) => decision ?? path ?? '');
}
