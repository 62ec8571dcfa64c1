/** What a path leads to. */
export type Route =
  | { readonly kind: 'card'; readonly agent: string | undefined }
  | { readonly kind: 'operations'; readonly agent: string | undefined }
  | { readonly kind: 'health' }
  | { readonly kind: 'welcome' };

const CARD_PATHS: ReadonlySet<string> = new Set([
  '/.well-known/agent-card.json',
  '/.well-known/agent-card',
  '/.well-known/agent.json',
]);

/** Finds the route of a path; with and without a trailing slash, without redirects. `agent` undefined = the default. */
export function routeOf(path: string, basePath: string): Route | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (plain === (basePath || '/')) return { kind: 'operations', agent: undefined };
  if (CARD_PATHS.has(plain)) return { kind: 'card', agent: undefined };
  if (plain === '/healthz' || plain === '/readyz' || plain === `${basePath}/health`) return { kind: 'health' };
  if (plain === '/') return { kind: 'welcome' };
  const below = plain.startsWith(`${basePath}/`) ? plain.slice(basePath.length) : undefined;
  if (below === undefined) return undefined;
  if (CARD_PATHS.has(below)) return { kind: 'card', agent: undefined };
  const [, agents, name, ...rest] = below.split('/');
  if (agents !== 'agents' || !name) return undefined;
  const agent = decodeSegment(name);
  if (rest.length === 0) return { kind: 'operations', agent };
  return CARD_PATHS.has(`/${rest.join('/')}`) ? { kind: 'card', agent } : undefined;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
