import { registerHooks } from 'node:module';

/**
 * The modules by which telemetry is part of a server, each with what is left where it is cut out: nothing is read of a
 * trace, nothing is around operations, runs, steps and commits, and nobody looks for a provider.
 */
const CUT: Readonly<Record<string, string>> = {
  'server/core/parts/telemetry-parts.ts': `
    const nothing = async () => {};
    export const telemetryOf = () => ({ servesMetrics: false, open: nothing, close: nothing, look: () => undefined });
  `,
  'server/intercept/service.ts': 'export class InterceptedService { constructor(inner) { return inner; } }',
  'server/intercept/runner.ts': 'export const interceptedRunner = (runner) => runner;',
  'server/intercept/step.ts': 'export const interceptedSteps = () => (handle, name, perform) => perform();',
  'server/intercept/commit.ts': 'export const interceptedCommit = (store) => (entries) => store.commit(entries);',
  'bindings/http/trace.ts': 'export const traceOf = () => undefined;',
  'bindings/http/current-trace.ts': `
    export const withTrace = (trace, work) => work();
    export const currentTrace = () => undefined;
    export const useTraceSource = () => {};
    export const outgoingTrace = () => ({});
    export const tracedFetch = (send) => send;
  `,
};

/**
 * Loads the server without its telemetry, or whole, in the same way: how its modules came makes a difference of its own.
 * Throws where a module has moved, and something would be measured that is whole.
 */
export async function loaded<Loaded>({ isWhole }: { isWhole: boolean }, load: () => Promise<Loaded>): Promise<Loaded> {
  const places = isWhole ? [] : Object.keys(CUT);
  const cut = new Set<string>();
  const hooks = registerHooks({
    load(url, context, next) {
      const place = places.find((end) => url.endsWith(`/packages/parley/src/${end}`));
      if (place === undefined) return next(url, context);
      cut.add(place);
      return { format: 'module', source: CUT[place] ?? '', shortCircuit: true };
    },
  });
  try {
    const server = await load();
    const left = places.filter((place) => !cut.has(place));
    if (left.length > 0) throw new Error(`Telemetry could not be cut out of ${left.join(', ')}`);
    return server;
  } finally {
    hooks.deregister();
  }
}
