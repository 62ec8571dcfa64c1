interface Surroundings {
  readonly process?: {
    readonly versions?: { readonly node?: string | undefined; readonly deno?: string | undefined } | undefined;
    readonly env?: { readonly NEXT_PHASE?: string | undefined } | undefined;
  };
  readonly navigator?: { readonly userAgent?: string | undefined };
  readonly EdgeRuntime?: unknown;
}

/**
 * True in a process that may work before the first request: Node, Bun or Deno. Workers and edge functions refuse
 * timers, randomness and I/O outside of a request, and a build of Next loads routes in several processes without
 * serving them.
 */
export function isServingProcess(surroundings: Surroundings = globalThis as Surroundings): boolean {
  const { process, navigator, EdgeRuntime } = surroundings;
  if (typeof process?.versions?.node !== 'string') return false;
  if (EdgeRuntime !== undefined || navigator?.userAgent === 'Cloudflare-Workers') return false;
  // Deno must not be asked for its environment without need: it takes a permission.
  return process.versions.deno !== undefined || process.env?.NEXT_PHASE !== 'phase-production-build';
}
