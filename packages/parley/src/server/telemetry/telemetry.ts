import { type TraceSource, useTraceSource } from '../../bindings/http/current-trace.ts';
import type { Logger } from '../../engine/ports.ts';
import type { ServerHooks } from '../follow/hooks.ts';
import type { ServerInterceptor } from '../intercept/interceptors.ts';
import { loadOpenTelemetry, registeredProviders } from './open-telemetry.ts';
import type { ServerFacts } from './tracing/attributes.ts';

export interface TelemetryParts extends ServerFacts {
  readonly log: Logger;
  /** Adds an interceptor around all others. */
  readonly use: (extension: ServerHooks & ServerInterceptor) => void;
}

interface Surroundings {
  readonly process?: {
    getBuiltinModule?(name: 'node:diagnostics_channel'): { hasSubscribers(name: string): boolean } | undefined;
  };
}

/** The channel on which instrumentations of `fetch` hear of its requests, and add their headers. */
const FETCH_CHANNEL = 'undici:request:create';

/** What a server tells of itself. Where the program has registered nothing and asks for nothing, it does nothing. */
export class Telemetry {
  readonly #parts: TelemetryParts;

  constructor(parts: TelemetryParts) {
    this.#parts = parts;
  }

  /** Looks for what the program has registered. */
  async open(): Promise<void> {
    const { trace } = registeredProviders();
    if (!trace) return;
    const api = await loadOpenTelemetry();
    const [{ tracing }, { SpanContexts }] = await Promise.all([
      import('./tracing/tracing.ts'),
      import('./tracing/span-context.ts'),
    ]);
    this.#parts.use(tracing(api, this.#parts));
    followSpans(new SpanContexts(api));
  }

  async close(): Promise<void> {}
}

/** Clients in a run are part of the span at hand. */
function followSpans(contexts: { readonly current: TraceSource }): void {
  const channels = (globalThis as Surroundings).process?.getBuiltinModule?.('node:diagnostics_channel');
  useTraceSource(
    (ambient) => contexts.current(ambient),
    () => channels?.hasSubscribers(FETCH_CHANNEL) === true,
  );
}
