// Reads the small part of YAML that the files of examples/telemetry use: maps, lists, texts, and JSON for everything on one line.
// Whatever is something else is an error, so that a file which this cannot read is not taken for another one.

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

/** Throws where the text is not in this part of YAML. */
export function readYaml(text: string): unknown {
  const lines = text.split('\n').flatMap((line, index): Line[] => {
    if (/\t/.test(line)) throw new Error(`Line ${index + 1} has a tab`);
    const indent = line.length - line.trimStart().length;
    const content = line.trim();
    return content === '' || content.startsWith('#') ? [] : [{ indent, text: content, number: index + 1 }];
  });
  const reader = new Reader(lines);
  const value = reader.block(0);
  reader.requireEnd();
  return value;
}

class Reader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = [...lines];
  }

  requireEnd(): void {
    const line = this.#lines[this.#at];
    if (line) throw new Error(`Line ${line.number} stands further in or out than it should: ${line.text}`);
  }

  block(indent: number): unknown {
    return this.#lines[this.#at]?.text.startsWith('- ') ? this.#list(indent) : this.#map(indent);
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#next(indent); line?.text.startsWith('- '); line = this.#next(indent)) {
      const rest = line.text.slice(2);
      if (/^[A-Za-z_]\w*:( |$)/.test(rest)) {
        // A map that begins on the line of its dash.
        this.#lines[this.#at] = { ...line, indent: indent + 2, text: rest };
        items.push(this.#map(indent + 2));
      } else {
        this.#at += 1;
        items.push(scalarOf(rest));
      }
    }
    return items;
  }

  #map(indent: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let line = this.#next(indent); line && !line.text.startsWith('- '); line = this.#next(indent)) {
      const [, key, rest] = /^([\w.-]+):(?: (.*))?$/.exec(line.text) ?? [];
      if (key === undefined) throw new Error(`Line ${line.number} is no member: ${line.text}`);
      if (key in map) throw new Error(`Line ${line.number} repeats ${key}`);
      this.#at += 1;
      const below = this.#lines[this.#at];
      map[key] =
        rest === undefined ? (below && below.indent > indent ? this.block(below.indent) : null) : scalarOf(rest);
    }
    return map;
  }

  #next(indent: number): Line | undefined {
    const line = this.#lines[this.#at];
    return line?.indent === indent ? line : undefined;
  }
}

function scalarOf(text: string): unknown {
  if (/^'(?:[^']|'')*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (/^["[{]/.test(text)) return JSON.parse(text);
  if (/[:#{}[\]&*!|>%@`]( |$)|^[&*!|>%@`-]/.test(text)) throw new Error(`Not a plain text: ${text}`);
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === 'true' ? true : text === 'false' ? false : text;
}
