/** What a path leads to. `agent` undefined = the default one. */
export type Route =
  | { readonly kind: 'card'; readonly agent: string | undefined }
  | {
      readonly kind: 'operations';
      readonly agent: string | undefined;
      /** What follows the agent's address: '' for JSON-RPC, else a REST path. */
      readonly path: string;
      readonly mount: 'agent' | 'root';
    }
  | { readonly kind: 'health' }
  | { readonly kind: 'welcome' };

const CARD_PATHS: ReadonlySet<string> = new Set([
  '/.well-known/agent-card.json',
  '/.well-known/agent-card',
  '/.well-known/agent.json',
]);

/** Finds the route of a path; with and without a trailing slash, without redirects. Fixed routes win over all others. */
export function routeOf(path: string, basePath: string): Route | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (plain === (basePath || '/')) return operations(undefined, '');
  if (CARD_PATHS.has(plain)) return { kind: 'card', agent: undefined };
  if (plain === '/healthz' || plain === '/readyz' || plain === `${basePath}/health`) return { kind: 'health' };
  if (plain === '/') return { kind: 'welcome' };
  if (plain.startsWith(`${basePath}/`)) return below(plain.slice(basePath.length));
  // Routes of 0.3 at the root of the host, whatever the base path is.
  return plain.startsWith('/v1/') ? { ...operations(undefined, plain), mount: 'root' } : undefined;
}

function below(path: string): Route | undefined {
  if (CARD_PATHS.has(path)) return { kind: 'card', agent: undefined };
  const [, agents, name, ...rest] = path.split('/');
  if (agents !== 'agents') return operations(undefined, path);
  if (!name) return undefined;
  const agent = decodeSegment(name);
  const tail = rest.length === 0 ? '' : `/${rest.join('/')}`;
  return CARD_PATHS.has(tail) ? { kind: 'card', agent } : operations(agent, tail);
}

function operations(agent: string | undefined, path: string): Extract<Route, { readonly kind: 'operations' }> {
  return { kind: 'operations', agent, path, mount: 'agent' };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
