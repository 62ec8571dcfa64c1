/** One declaration file, taken apart: enough to find a name and the text that declares it. */
export interface Declarations {
  /** What declares a name, several texts where it is overloaded. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** Names that come from elsewhere. `name` is `*` for a whole module. */
  readonly imported: ReadonlyMap<string, Source>;
  /** Names that are exported: under another name, or from another file. */
  readonly exported: ReadonlyMap<string, Source>;
  /** Files all of whose names are exported. */
  readonly passedOn: readonly string[];
}

/** Where a name is to be found; without a file, in the same one. */
export interface Source {
  readonly file: string | undefined;
  readonly name: string;
}

const DECLARATION =
  /^(?:export )?(?:declare )?(?:default )?(?:abstract )?(?:async )?(class|interface|type|function|const|let|var|enum|namespace) ([\w$]+)/;
const FROM = / from ['"]([^'"]+)['"];$/;

/** Reads what `tsc` has written, without comments. */
export function readDeclarations(text: string): Declarations {
  const declared = new Map<string, string[]>();
  const imported = new Map<string, Source>();
  const exported = new Map<string, Source>();
  const passedOn: string[] = [];
  for (const statement of statementsOf(text.replace(/^\/\/\/.*$/gm, ''))) {
    const file = FROM.exec(statement)?.[1];
    const list = /^(import|export) (?:type )?(?:[\w$]+, )?\{([\s\S]*)\}/.exec(statement);
    const all = /^(import|export) (?:type )?\*(?: as ([\w$]+))? from/.exec(statement);
    const declaration = DECLARATION.exec(statement);
    if (declaration) {
      const [, , name = ''] = declaration;
      declared.set(name, [...(declared.get(name) ?? []), statement]);
      if (statement.startsWith('export default')) exported.set('default', { file: undefined, name });
      else if (statement.startsWith('export ')) exported.set(name, { file: undefined, name });
    } else if (list) {
      const target = list[1] === 'import' ? imported : exported;
      for (const [name, as] of namesOf(list[2] ?? '')) target.set(as, { file, name });
    } else if (all) {
      const [, keyword, as] = all;
      if (as !== undefined) (keyword === 'import' ? imported : exported).set(as, { file, name: '*' });
      else if (file !== undefined) passedOn.push(file);
    } else if (!/^(?:import|declare (?:module|global))\b/.test(statement)) {
      throw new Error(`This statement of a declaration file is not understood: ${statement}`);
    }
  }
  return { declared, imported, exported, passedOn };
}

/** `A, type B as C` */
function namesOf(list: string): readonly (readonly [name: string, as: string])[] {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/^type /, ''))
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [name = '', as = name] = entry.split(' as ');
      return [name, as];
    });
}

const ENDS_WITH_BRACE =
  /^(?:export )?(?:declare )?(?:default )?(?:abstract )?(?:class|interface|enum|namespace|module|global)\b/;

/** The statements at the top of a file, brackets and strings respected. */
function statementsOf(text: string): readonly string[] {
  const statements: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (`'"\``.includes(character)) index = endOfString(text, index);
    else if ('{(['.includes(character)) depth += 1;
    else if ('})]'.includes(character)) depth -= 1;
    if (depth > 0) continue;
    const isEnd = character === ';' || (character === '}' && ENDS_WITH_BRACE.test(text.slice(start).trimStart()));
    if (!isEnd) continue;
    statements.push(text.slice(start, index + 1).trim());
    start = index + 1;
  }
  const rest = text.slice(start).trim();
  if (rest !== '') throw new Error(`A declaration file ends in the middle of a statement: ${rest}`);
  return statements.filter((statement) => statement !== 'export {};');
}

function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index;
  }
  throw new Error('A string in a declaration file does not end');
}
