import { decodeSegment } from '../../bindings/http/path-segment.ts';
import { FIXED_SEGMENTS } from '../../bindings/rest/routes.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { BUILT_IN_DIALECTS, type DialectRegistry } from '../../dialects/registry.ts';
import { RESOURCE_METADATA } from '../auth/guard/resource-metadata.ts';
import { CATALOG_PATH } from '../well-known/agent-catalog.ts';
import { KEYS_PATH } from '../well-known/published-keys.ts';
import { CONSOLE, LIVENESS, METRICS, READINESS } from './addresses.ts';
import { hasRest, type ResolvedMount } from './mounts.ts';
import { OPERATOR, operatorRouteOf } from './operator-paths.ts';
import type { CardForm, CardRoute, OperationsRoute, Route } from './routes.ts';

interface RouterOptions {
  readonly basePath: string;
  readonly mounts?: readonly ResolvedMount[] | undefined;
  /** Default: the built-in ones. */
  readonly dialects?: DialectRegistry | undefined;
  /** The metadata of protected resources is served. Default false. */
  readonly describesResources?: boolean | undefined;
  /** The server has public keys to show. Default false. */
  readonly publishesKeys?: boolean | undefined;
  /** Metrics are served. Default false. */
  readonly servesMetrics?: boolean | undefined;
  /** The console is served. Default false. */
  readonly servesConsole?: boolean | undefined;
}

/** The path of cards, at the root and below the address of each agent. */
export const OFFICIAL_CARD = '/.well-known/agent-card.json';
const NO_MOUNTS: readonly ResolvedMount[] = [];

/** A mount whose dialect is spoken below the addresses of agents too, at `/agents/NAME/SEGMENT`. */
interface SegmentMount {
  readonly mount: ResolvedMount;
  readonly before: string;
  readonly after: string;
}

/** Finds the routes of paths: with and without a trailing slash, without redirects. Mounts win over all others. */
export class Router {
  readonly #basePath: string;
  readonly #operatorPlace: string;
  readonly #mounts: readonly ResolvedMount[];
  readonly #segmentMounts: readonly SegmentMount[];
  readonly #cardForms: ReadonlyMap<string, CardForm>;
  readonly #describesResources: boolean;
  readonly #publishesKeys: boolean;
  readonly servesMetrics: boolean;
  readonly #servesConsole: boolean;

  constructor({
    basePath,
    mounts = NO_MOUNTS,
    dialects = BUILT_IN_DIALECTS,
    describesResources = false,
    publishesKeys = false,
    servesMetrics = false,
    servesConsole = false,
  }: RouterOptions) {
    this.#servesConsole = servesConsole;
    this.#publishesKeys = publishesKeys;
    this.servesMetrics = servesMetrics;
    this.#describesResources = describesResources;
    this.#basePath = basePath;
    this.#operatorPlace = `${basePath}${OPERATOR}/`;
    this.#mounts = mounts;
    this.#segmentMounts = mounts.flatMap(segmentMountOf);
    this.#cardForms = cardFormsOf(dialects.all);
  }

  /** The well-known paths of cards. */
  get cardPaths(): readonly string[] {
    return [...this.#cardForms.keys()];
  }

  /** The other well-known paths that the server has something at. */
  get wellKnownPaths(): readonly string[] {
    return this.#publishesKeys ? [CATALOG_PATH, KEYS_PATH] : [CATALOG_PATH];
  }

  /** The path below which the metadata of protected resources is, where there is any. */
  get resourceTrees(): readonly string[] {
    return this.#describesResources ? [RESOURCE_METADATA] : [];
  }

  /** The path below which the console is, where it is served. */
  get consoleTrees(): readonly string[] {
    return this.#servesConsole ? [CONSOLE] : [];
  }

  /** @param official leaves the mounts out: agents of this server call each other in an official version */
  routeOf(path: string, official = false): Route | undefined {
    const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    if (this.#describesResources && `${plain}/`.startsWith(`${RESOURCE_METADATA}/`)) {
      return { kind: 'resource', path: plain.slice(RESOURCE_METADATA.length) };
    }
    const operators = operatorRouteOf(plain, this.#operatorPlace);
    if (operators) return operators;
    const mounts = official ? NO_MOUNTS : this.#mounts;
    const mounted = official ? undefined : (this.#mountedRoute(plain) ?? this.#segmentRoute(plain));
    if (mounted) return mounted;
    if (this.#servesConsole && `${plain}/`.startsWith(`${CONSOLE}/`)) {
      return { kind: 'console', path: plain.slice(CONSOLE.length + 1) };
    }
    const basePath = this.#basePath;
    if (plain === (basePath || '/')) return operations(undefined, '');
    const pinned = mounts.find((mount) => mount.path === basePath);
    const form = this.#cardFormAt(plain, pinned);
    if (form) return { kind: 'card', agent: undefined, form, mount: pinned };
    if (this.servesMetrics && plain === METRICS) return { kind: 'metrics' };
    if (LIVENESS.has(plain) || plain === `${basePath}/health`) return { kind: 'health', isReadiness: false };
    if (plain === READINESS) return { kind: 'health', isReadiness: true };
    if (plain === CATALOG_PATH) return { kind: 'catalog' };
    if (plain === KEYS_PATH && this.#publishesKeys) return { kind: 'keys' };
    if (plain === '/') return { kind: 'welcome' };
    if (plain === `${basePath}/agents`) return { kind: 'agents' };
    if (plain.startsWith(`${basePath}/`)) return this.#below(plain.slice(basePath.length), pinned);
    // Routes of 0.3 at the root of the host, whatever the base path is.
    return plain.startsWith('/v1/') ? { ...operations(undefined, plain), place: 'root' } : undefined;
  }

  /** Routes at and below mounts; all other paths lead where they lead without the mount. */
  #mountedRoute(path: string): Route | undefined {
    for (const mount of this.#mounts) {
      if (path === (mount.path || '/')) return { ...operations(mount.agent, ''), mount };
      if (!path.startsWith(`${mount.path}/`)) continue;
      const route = this.#belowMount(path.slice(mount.path.length), mount);
      if (route) return { ...route, mount };
    }
    return undefined;
  }

  #belowMount(rest: string, mount: ResolvedMount): CardRoute | OperationsRoute | undefined {
    const form = this.#cardFormAt(rest, mount);
    if (form) return { kind: 'card', agent: mount.agent, form };
    const named = this.#agentRoute(rest, mount);
    if (named && (named.kind === 'card' || named.path === '' || hasRest(mount))) return named;
    return hasRest(mount) && !rest.startsWith('/agents') ? operations(mount.agent, rest) : undefined;
  }

  #segmentRoute(path: string): OperationsRoute | undefined {
    for (const { mount, before, after } of this.#segmentMounts) {
      if (!path.endsWith(after) || !path.startsWith(before)) continue;
      const name = path.slice(before.length, -after.length);
      if (name !== '' && !name.includes('/')) return { ...operations(decodeSegment(name), ''), mount };
    }
    return undefined;
  }

  /** A list of cards in one dialect would lead astray where another one is pinned (S2: removed). */
  #cardFormAt(path: string, pinned: ResolvedMount | undefined): CardForm | undefined {
    const form = this.#cardForms.get(path);
    if (typeof form !== 'object' || !form.isList) return form;
    if (!pinned || pinned.dialect === form.dialect) return form;
    return hasRest(pinned) ? 'negotiated' : undefined;
  }

  #below(path: string, pinned: ResolvedMount | undefined): Route | undefined {
    const form = this.#cardFormAt(path, pinned);
    if (form) return { kind: 'card', agent: undefined, form };
    if (path.split('/')[1] === 'agents') return this.#agentRoute(path, pinned);
    return (pinned ? undefined : tenantCardRoute(undefined, path)) ?? operations(undefined, path);
  }

  /** `/agents/NAME` and what follows. */
  #agentRoute(path: string, pinned: ResolvedMount | undefined): CardRoute | OperationsRoute | undefined {
    const [, agents, name, ...rest] = path.split('/');
    if (agents !== 'agents' || !name) return undefined;
    const agent = decodeSegment(name);
    const tail = rest.length === 0 ? '' : `/${rest.join('/')}`;
    const form = tail === '/card' ? 'agent' : this.#cardFormAt(tail, pinned);
    if (form) return { kind: 'card', agent, form };
    return (pinned ? undefined : tenantCardRoute(agent, tail)) ?? operations(agent, tail);
  }
}

/** The card of a tenant is at its well-known place below the tenant's prefix, as all its operations are. */
function tenantCardRoute(agent: string | undefined, path: string): CardRoute | undefined {
  if (!path.endsWith(OFFICIAL_CARD)) return undefined;
  const segment = path.slice(1, -OFFICIAL_CARD.length);
  if (segment === '' || segment.includes('/')) return undefined;
  const tenant = decodeSegment(segment);
  return FIXED_SEGMENTS.has(tenant) ? undefined : { kind: 'card', agent, form: 'negotiated', tenant };
}

/** Throws a TypeError where two dialects have their cards at one path. */
function cardFormsOf(dialects: readonly Dialect[]): ReadonlyMap<string, CardForm> {
  const forms = new Map<string, CardForm>([[OFFICIAL_CARD, 'negotiated']]);
  for (const dialect of dialects) {
    const card = dialect.addresses?.card;
    if (!card) continue;
    if (forms.has(card.path)) throw new TypeError(`Two dialects have their cards at ${card.path}`);
    forms.set(card.path, { dialect, isList: card.isList === true });
  }
  return forms;
}

function segmentMountOf(mount: ResolvedMount): readonly SegmentMount[] {
  const segment = mount.dialect.addresses?.segment;
  if (segment === undefined || !mount.path.endsWith(`/${segment}`)) return [];
  const place = mount.path.slice(0, -segment.length - 1);
  return [{ mount, before: `${place}/agents/`, after: `/${segment}` }];
}

function operations(agent: string | undefined, path: string): OperationsRoute {
  if (path === OPERATOR || path.startsWith(`${OPERATOR}/`)) {
    return { kind: 'operations', agent, path: path.slice(OPERATOR.length), place: 'agent', everyone: true };
  }
  return { kind: 'operations', agent, path, place: 'agent' };
}
