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

/** Loads the server without its telemetry. Throws where a module has moved, and something would be measured that is whole. */
export async function withoutTelemetry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const cut = new Set<string>();
  const hooks = registerHooks({
    load(url, context, next) {
      const place = Object.keys(CUT).find((end) => url.endsWith(`/packages/parley/src/${end}`));
      if (place === undefined) return next(url, context);
      cut.add(place);
      return { format: 'module', source: CUT[place] ?? '', shortCircuit: true };
    },
  });
  try {
    const loaded = await load();
    const whole = Object.keys(CUT).filter((place) => !cut.has(place));
    if (whole.length > 0) throw new Error(`Telemetry could not be cut out of ${whole.join(', ')}`);
    return loaded;
  } finally {
    hooks.deregister();
  }
}
