/** A value of a YAML file. All scalars are texts: whoever reads them knows what they mean. */
export type Yaml = string | readonly Yaml[] | { readonly [name: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

/**
 * The documents of a YAML file, as far as manifests use the language: maps, lists, plain and quoted texts, lists in brackets,
 * comments. Anything else is an error, and so are tabs, names that come twice and lines that are indented wrongly.
 */
export function readYaml(text: string): readonly Yaml[] {
  const documents: Line[][] = [[]];
  for (const [index, raw] of text.split('\n').entries()) {
    if (raw.includes('\t')) throw new Error(`Line ${index + 1} has a tab`);
    if (raw.trim() === '---') documents.push([]);
    else if (raw.trim() !== '' && !raw.trim().startsWith('#')) {
      documents.at(-1)?.push({ indent: raw.length - raw.trimStart().length, text: raw.trim(), number: index + 1 });
    }
  }
  return documents.filter((lines) => lines.length > 0).map((lines) => new Reader(lines).read());
}

class Reader {
  readonly #lines: Line[];

  constructor(lines: readonly Line[]) {
    this.#lines = [...lines];
  }

  read(): Yaml {
    const value = this.#block(0);
    const [rest] = this.#lines;
    if (rest) throw new Error(`Line ${rest.number} is indented wrongly: ${rest.text}`);
    return value;
  }

  #block(indent: number): Yaml {
    const [first] = this.#lines;
    return first && isItem(first) ? this.#list(indent) : this.#map(indent);
  }

  #list(indent: number): Yaml {
    const items: Yaml[] = [];
    for (let line = this.#lines[0]; line?.indent === indent && isItem(line); line = this.#lines[0]) {
      const rest = line.text.slice(2);
      if (!/^[\w./-]+:( |$)/.test(rest)) {
        this.#lines.shift();
        items.push(scalarOf(rest, line));
        continue;
      }
      // The first member of a map stands on the line of the item.
      this.#lines[0] = { ...line, indent: indent + 2, text: rest };
      items.push(this.#map(indent + 2));
    }
    return items;
  }

  #map(indent: number): Yaml {
    const members: Record<string, Yaml> = {};
    for (let line = this.#lines[0]; line?.indent === indent; line = this.#lines[0]) {
      const [, name = '', value = ''] = /^([\w./-]+):(?: (.*))?$/.exec(line.text) ?? [];
      if (name === '') throw new Error(`Line ${line.number} is no member of a map: ${line.text}`);
      if (Object.hasOwn(members, name)) throw new Error(`Line ${line.number} has ${name} for the second time`);
      this.#lines.shift();
      const next = this.#lines[0];
      if (value !== '') members[name] = scalarOf(value, line);
      else if (next && next.indent > indent) members[name] = this.#block(next.indent);
      else throw new Error(`Line ${line.number} has no value: ${line.text}`);
    }
    return members;
  }
}

function isItem({ text }: Line): boolean {
  return text.startsWith('- ');
}

function scalarOf(value: string, { number }: Line): Yaml {
  if (value === '{}') return {};
  // Lists in brackets have quoted texts alone, as in JSON.
  if (value.startsWith('[') || value.startsWith('"')) return JSON.parse(value);
  if (/^[&*!|>%@`{']/.test(value) || value.includes(' #')) throw new Error(`Line ${number} is too clever: ${value}`);
  return value;
}

/** The value at a path; undefined where there is none. */
export function at(value: Yaml | undefined, ...path: readonly (string | number)[]): Yaml | undefined {
  return path.reduce<Yaml | undefined>((inner, step) => {
    if (inner === undefined || typeof inner === 'string') return undefined;
    return (inner as Readonly<Record<string | number, Yaml>>)[step];
  }, value);
}
