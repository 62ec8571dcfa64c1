import { isStreamOperation } from '../model/operations.ts';
import { type DialectDefinition, withVariants } from './definition.ts';
import type { Dialect, DialectSigns } from './dialect.ts';
import { jaf } from './jaf/definition.ts';
import { requireDefinition, requireServing } from './require-definition.ts';
import { banterop } from './v0_3/banterop/definition.ts';
import { cogitator } from './v0_3/cogitator/definition.ts';
import { v0_3 } from './v0_3/definition.ts';
import { rxjs } from './v0_3/rxjs/definition.ts';
import { v1_0 } from './v1_0/definition.ts';
import { draft } from './v1_draft/definition.ts';

/**
 * The names of the dialects that are always there: the official versions by their number, the draft of 1.0, JAF, and
 * variants of 0.3. `v1_draft-stream` is the draft where every send streams, `rxjs-older` has older spellings.
 */
export type DialectName =
  | '1.0'
  | '0.3'
  | 'v1_draft'
  | 'v1_draft-stream'
  | 'jaf'
  | 'rxjs'
  | 'rxjs-older'
  | 'cogitator'
  | 'banterop';

/** The official versions, newest first, then the others. Where two could recognise a request, the first one has it. */
const BUILT_IN: readonly DialectDefinition[] = [v1_0, v0_3, draft, jaf, rxjs, cogitator, banterop];

/** The dialects that a server speaks. */
export class DialectRegistry {
  /** Each with its variants. */
  readonly all: readonly Dialect[];
  /** Those that recognise requests without a version. */
  readonly recognizing: readonly RecognizingDialect[];
  /** The JSON-RPC methods that stream, in any of the dialects. */
  readonly streamingMethods: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, Dialect>;
  readonly #added: ReadonlySet<Dialect>;

  /**
   * `added` recognise requests before the built-in ones do. Throws a TypeError for a name that is taken, in settings or on
   * the bytes that readers of one dialect share.
   */
  constructor(added: readonly DialectDefinition[] = []) {
    for (const definition of added) for (const one of withVariants(requireDefinition(definition))) requireServing(one);
    const byName = new Map<string, Dialect>();
    const byForm = new Map<string, string>();
    for (const { name, serving } of [...added, ...BUILT_IN].flatMap(withVariants)) {
      if (!serving) continue;
      if (byName.has(name)) throw new TypeError(`Two dialects have the name "${name}"`);
      const other = byForm.get(serving.name);
      if (other !== undefined) {
        throw new TypeError(`The dialects "${other}" and "${name}" have the same serving.name, "${serving.name}"`);
      }
      byName.set(name, serving);
      byForm.set(serving.name, name);
    }
    this.#byName = byName;
    this.#added = new Set(added.flatMap(withVariants).flatMap(({ serving }) => serving ?? []));
    this.all = [...byName.values()];
    this.recognizing = this.all.filter(isRecognizing);
    this.streamingMethods = new Set(this.all.flatMap(streamingMethodsOf));
  }

  /** Tells whether the dialect is one of those that the server was given. */
  isAdded(dialect: Dialect): boolean {
    return this.#added.has(dialect);
  }

  /** The name of a dialect in settings. */
  nameOf(dialect: Dialect): string {
    return [...this.#byName].find(([, one]) => one === dialect)?.[0] ?? dialect.name;
  }

  /** Finds a dialect by its name in settings or that of its folder. Throws a TypeError that lists the names. */
  named(name: string): Dialect {
    const dialect = this.#byName.get(name) ?? this.all.find((one) => one.name === name);
    if (dialect) return dialect;
    throw new TypeError(`There is no dialect "${name}". There are: ${[...this.#byName.keys()].join(', ')}`);
  }

  /**
   * Finds the dialect of a stored name: for a form that only a binding has (`v0_3-proto`) it is that of the form, and for
   * one that this server does not have the newest version.
   */
  ofStoredName(name: string): Dialect {
    return this.ofForm(name) ?? this.named(v1_0.name);
  }

  /** Finds the dialect of a name, or of a form: that has the name of its dialect and a hyphen in front. */
  ofForm(name: string): Dialect | undefined {
    const [dialect = name] = name.split('-');
    return this.all.find((one) => one.name === name) ?? this.all.find((one) => one.name === dialect);
  }
}

type RecognizingDialect = Dialect & { readonly signs: DialectSigns };

function isRecognizing(dialect: Dialect): dialect is RecognizingDialect {
  return dialect.signs !== undefined;
}

function streamingMethodsOf({ methods }: Dialect): readonly string[] {
  return [...methods].flatMap(([method, operation]) => (isStreamOperation(operation) ? [method] : []));
}

/** The built-in dialects alone. */
export const BUILT_IN_DIALECTS: DialectRegistry = new DialectRegistry();
