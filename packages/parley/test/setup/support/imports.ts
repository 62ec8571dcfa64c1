import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesUnder } from './workspace-copy.ts';

export interface Import {
  /** The importing file, relative to the folder that was read. */
  readonly from: string;
  /** The imported file, relative to that folder too, or the name of a module from elsewhere. */
  readonly to: string;
  /** `type` imports are gone when the program runs, `dynamic` ones happen only when they are reached. */
  readonly kind: 'value' | 'type' | 'dynamic';
}

/** Every import and re-export in the TypeScript files under a folder. */
export function readImports(folder: string): readonly Import[] {
  return filesUnder(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((from) => {
      const found = importsIn(readFileSync(join(folder, from), 'utf8'));
      return found.map(({ name, kind }) => ({ from, kind, to: name.startsWith('.') ? resolve(from, name) : name }));
    });
}

function resolve(from: string, name: string): string {
  return normalize(join(dirname(from), name));
}

const STATEMENT = /^(?:import|export)\s(?:(type\s)?[^'";]*?\bfrom\s*)?'([^']+)'/gm;
const EXPRESSION = /\bimport\(\s*'([^']+)'/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Relies on the formatter: single quotes, and statements at the beginning of a line. */
export function importsIn(source: string): readonly { readonly name: string; readonly kind: Import['kind'] }[] {
  const code = source.replace(COMMENT, '');
  const statements = [...code.matchAll(STATEMENT)].map(([, type, name = '']) => ({
    name,
    kind: type ? ('type' as const) : ('value' as const),
  }));
  const expressions = [...code.matchAll(EXPRESSION)].map(([, name = '']) => ({ name, kind: 'dynamic' as const }));
  return [...statements, ...expressions];
}

/** The files that are reached from the given ones by imports that `follow` accepts, those files included. */
export function reachable(
  imports: readonly Import[],
  entries: readonly string[],
  follow: (step: Import) => boolean = () => true,
): ReadonlySet<string> {
  const reached = new Set(entries);
  // A set is walked in the order of insertion, also over what is added meanwhile.
  for (const file of reached) {
    for (const step of imports) if (step.from === file && follow(step)) reached.add(step.to);
  }
  return reached;
}

/** One way round in a graph, first node repeated at the end; undefined where there is none. */
export function findCycle(edges: readonly (readonly [from: string, to: string])[]): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const [from, to] of edges) {
      const cycle = from === node ? visit(to, [...path, node]) : undefined;
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const [from] of edges) {
    const cycle = visit(from, []);
    if (cycle) return cycle;
  }
  return undefined;
}
