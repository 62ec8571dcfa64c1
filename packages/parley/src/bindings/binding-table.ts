import type { BindingRequest, ServedBinding, ServerBinding } from './binding.ts';
import { requireBinding, servedAndChecked } from './checked-binding.ts';
import type { ExchangeResponse } from './exchange.ts';
import type { BindingOptions } from './options.ts';
import { FIXED_SEGMENTS } from './rest/routes.ts';
import { SERVED_BINDINGS } from './served.ts';

/** A binding and the half of it that is at work in a server. */
interface BindingEntry {
  readonly binding: ServerBinding;
  readonly served: ServedBinding;
  /** It is not one of ours: the server keeps out forms of web pages, which it may not know of. */
  readonly isAdded?: boolean | undefined;
}

/** The bindings of one server, by the paths at which they are served. */
export class BindingTable {
  /** In the order in which cards name them. */
  readonly all: readonly ServerBinding[];
  readonly #builtIn: readonly BindingEntry[];
  readonly #added: readonly BindingEntry[];
  /** Those that are served elsewhere than at addresses of HTTP, by their names. */
  readonly #carriers = new Map<string, BindingEntry>();
  readonly #options: BindingOptions;

  /** Throws a TypeError for a value that is no binding, and for one whose name or path is taken. */
  constructor(options: BindingOptions, added: readonly ServerBinding[] = []) {
    this.#options = options;
    this.all = [...SERVED_BINDINGS, ...added];
    for (const [index, binding] of added.entries()) requireBinding(`bindings[${index}]`, binding);
    checkBindings(this.all, added);
    this.#builtIn = SERVED_BINDINGS.map((binding) => ({ binding, served: binding.serve(options) }));
    this.#added = added.map((binding) => ({ binding, served: servedAndChecked(binding, options), isAdded: true }));
  }

  /** Serves a binding whose requests say by themselves that they came by it. */
  carry(binding: ServerBinding<ExchangeResponse>): void {
    this.#carriers.set(binding.protocolBinding, { binding, served: binding.serve(this.#options) });
  }

  /** Finds the binding of a request, or of a path below an agent's address; undefined where none serves it. */
  find({ path, place }: Pick<BindingRequest, 'path' | 'place'>, carrier?: string): BindingEntry | undefined {
    if (carrier !== undefined) return this.#carriers.get(carrier);
    const added = place === 'agent' ? this.#added.find(({ binding }) => isServedAt(binding, path)) : undefined;
    return added ?? this.#builtIn.find(({ binding }) => isServedAt(binding, path));
  }

  /** Tells whether a path at the root of the host is that of an operation. */
  isOperation(path: string): boolean {
    return this.#builtIn.some(({ served }) => served.isOperation?.(path) === true);
  }
}

function isServedAt({ path: own, isTree }: ServerBinding, path: string): boolean {
  return path === own || (isTree === true && path.startsWith(`${own}/`));
}

function checkBindings(all: readonly ServerBinding[], added: readonly ServerBinding[]): void {
  const names = all.map(({ protocolBinding }) => protocolBinding);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two bindings have the name "${twice}"`);
  const paths = added.map(({ path }) => path);
  for (const [index, { protocolBinding, path }] of added.entries()) {
    const [, segment = ''] = path.split('/');
    const refused = `"${path}" cannot be the path of the binding ${protocolBinding}`;
    if (!/^\/[^/?#]/.test(path) || path.endsWith('/')) throw new TypeError(`${refused}: it must be like "/lines"`);
    if (FIXED_SEGMENTS.has(segment)) throw new TypeError(`${refused}: HTTP+JSON uses it`);
    if (paths.indexOf(path) !== index) throw new TypeError(`Two bindings have the path "${path}"`);
  }
}
