import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Declarations, readDeclarations } from './declarations.ts';

/** A declaration where it stands. */
interface Found {
  readonly file: string;
  readonly name: string;
  readonly texts: readonly string[];
}

const INLINE_IMPORT = /import\(['"]([^'"]+)['"]\)\.([\w$]+)/g;

/** Declaration files by their place; each is read once. */
export class Program {
  readonly #files = new Map<string, Declarations>();

  /** All that an entry exports, by name. What comes from another package has no declaration here. */
  exportsOf(file: string): ReadonlyMap<string, Found | undefined> {
    const { exported, passedOn } = this.#read(file);
    const found = new Map<string, Found | undefined>();
    for (const other of passedOn) {
      for (const [name, declaration] of this.exportsOf(placeOf(file, other) ?? other)) found.set(name, declaration);
    }
    for (const name of exported.keys()) found.set(name, this.#exported(file, name));
    return found;
  }

  /** What a declaration mentions that is declared in the same package. */
  mentionedBy({ file, name, texts }: Found): readonly Found[] {
    const text = texts.join('\n');
    const names = new Set([...text.matchAll(/[\w$]+/g)].map(([word]) => word).filter((word) => word !== name));
    const inline = [...text.matchAll(INLINE_IMPORT)].map(([, from = '', word = '']) => {
      const place = placeOf(file, from);
      return place === undefined ? undefined : this.#exported(place, word);
    });
    return [...[...names].map((word) => this.#visible(file, word)), ...inline].filter((one) => one !== undefined);
  }

  #visible(file: string, name: string): Found | undefined {
    const { declared, imported } = this.#read(file);
    const texts = declared.get(name);
    if (texts) return { file, name, texts };
    const source = imported.get(name);
    const place = source?.file === undefined ? undefined : placeOf(file, source.file);
    return source && place && source.name !== '*' ? this.#exported(place, source.name) : undefined;
  }

  #exported(file: string, name: string): Found | undefined {
    const { exported, passedOn } = this.#read(file);
    const source = exported.get(name);
    if (!source) {
      const places = passedOn.map((other) => placeOf(file, other)).filter((place) => place !== undefined);
      return places.map((place) => this.#exported(place, name)).find((found) => found !== undefined);
    }
    if (source.file === undefined) return this.#visible(file, source.name);
    const place = placeOf(file, source.file);
    return place && source.name !== '*' ? this.#exported(place, source.name) : undefined;
  }

  #read(file: string): Declarations {
    const known = this.#files.get(file);
    if (known) return known;
    const read = readDeclarations(readFileSync(file, 'utf8'));
    this.#files.set(file, read);
    return read;
  }
}

/** The declaration file that a relative import names; undefined for other packages. */
function placeOf(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(from), specifier.replace(/\.[jt]s$/, '.d.ts')) : undefined;
}

export interface Report {
  readonly text: string;
  /** All declarations that stand in it. */
  readonly shown: ReadonlySet<string>;
}

/** The declarations that entries export under a name, as `Report.shown` has them. */
export function namedBy(program: Program, files: readonly string[]): ReadonlySet<string> {
  const found = files.flatMap((file) => [...program.exportsOf(file).values()]);
  return new Set(found.flatMap((one) => (one ? [keyOf(one)] : [])));
}

/**
 * The names of an entry and, below them, the types that they are made of and that have no name for users. `elsewhere`
 * are the declarations that stand in other reports; they are not repeated.
 */
export function reportOf(title: string, program: Program, file: string, elsewhere: ReadonlySet<string>): Report {
  const exported = [...program.exportsOf(file)].sort(([one], [other]) => compare(one, other));
  const shown = new Set(exported.flatMap(([, found]) => (found ? [keyOf(found)] : [])));
  const behind = new Map<string, Found>();
  const waiting = exported.flatMap(([, found]) => found ?? []);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const found of program.mentionedBy(next)) {
      if (shown.has(keyOf(found)) || elsewhere.has(keyOf(found)) || behind.has(keyOf(found))) continue;
      behind.set(keyOf(found), found);
      waiting.push(found);
    }
  }
  const hidden = [...behind.values()].sort((one, other) => compare(keyOf(one), keyOf(other)));
  const text = [
    `# ${title}`,
    '',
    'Made by `npm run api`; what changes here, changes for users.',
    '',
    '```ts',
    exported.map(([name, found]) => exportText(name, found)).join('\n\n'),
    '```',
    ...(hidden.length > 0 ? ['', '## Behind these names', '', '```ts'] : []),
    ...(hidden.length > 0 ? [hidden.map((found) => bodyOf(found)).join('\n\n'), '```'] : []),
    '',
  ].join('\n');
  return { text, shown: new Set([...shown, ...behind.keys()]) };
}

function exportText(name: string, found: Found | undefined): string {
  if (!found) return `export { ${name} }; // of another package`;
  const alias = found.name === name ? '' : `// exported as ${name}\n`;
  return `${alias}export ${bodyOf(found)}`;
}

function bodyOf({ texts }: Found): string {
  return texts.map(cleaned).join('\n');
}

function cleaned(text: string): string {
  return text
    .replace(/^(?:export )?(?:declare )?/, '')
    .replace(INLINE_IMPORT, '$2')
    .replace(/^ *#private;\n/gm, '')
    .replace(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}

function keyOf({ name, file }: Found): string {
  return `${name} ${file}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
