import type { ExchangeResponse } from '../../bindings/exchange.ts';
import { type SpanProtocolCall, type TraceSource, useTraceSource } from '../../bindings/http/current-trace.ts';
import type { ServerHooks } from '../follow/hooks.ts';
import type { ServerInterceptor } from '../intercept/interceptors.ts';
import { problem } from '../operator/problems.ts';
import type { ResponseWatch } from './metrics/metering.ts';
import type { MetricsParts, OpenMetrics } from './metrics/open-metrics.ts';
import { type MetricsSetting, type MetricsSettings, readMetricsSetting } from './metrics/settings.ts';
import { loadOpenTelemetry, type OpenTelemetry, registeredProviders } from './open-telemetry.ts';
import type { ServerFacts } from './tracing/attributes.ts';

interface TelemetryParts extends ServerFacts, Omit<MetricsParts, 'agents'> {
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

/** The telemetry of a server. It does nothing if the program has registered nothing and asks for nothing. */
export class Telemetry {
  /** Told of responses; undefined without listeners. */
  watch: ResponseWatch | undefined;
  readonly #settings: MetricsSettings | undefined;
  readonly #parts: TelemetryParts;
  #metrics: OpenMetrics | undefined;
  #isTracing = false;
  #isMetering = false;
  /** True if a provider that is registered later still makes a difference. */
  #isLooking = false;
  #joining: Promise<void> | undefined;

  /** Throws a TypeError for invalid settings. */
  constructor(setting: MetricsSetting | undefined, parts: TelemetryParts) {
    this.#settings = readMetricsSetting(setting);
    this.#parts = parts;
  }

  /** `/metrics` is an address of the server. */
  get servesMetrics(): boolean {
    return this.#settings !== undefined && this.#settings.port === undefined && this.#settings.registry === undefined;
  }

  /** The address of a separate port for metrics; undefined until it listens. */
  get metricsUrl(): string | undefined {
    return this.#metrics?.url;
  }

  /** Looks for what the program has registered, and begins to measure where that is wanted. */
  async open(): Promise<void> {
    // Parts that are open stay open if the server is opened again because another part failed.
    await this.#joinProviders();
    if (this.#settings && !this.#metrics) await this.#openMetrics(undefined);
    this.#isLooking = !(this.#isTracing && this.#isMetering);
  }

  async close(): Promise<void> {
    this.#isLooking = false;
    await this.#joining;
    await this.#metrics?.close();
    this.#metrics = undefined;
    this.#isMetering = false;
    this.watch = undefined;
  }

  /**
   * Looks whether a provider was registered since the server opened. Asked with every request, so it costs one look at a
   * global; a promise only while such a provider is being joined.
   */
  look(): Promise<void> | undefined {
    if (!this.#isLooking || this.#joining) return this.#joining;
    const { trace, metrics } = registeredProviders();
    if ((!trace || this.#isTracing) && (!metrics || this.#isMetering)) return undefined;
    this.#joining = this.#joinLate();
    return this.#joining;
  }

  async #joinLate(): Promise<void> {
    try {
      await this.#joinProviders();
      this.#isLooking &&= !(this.#isTracing && this.#isMetering);
    } catch (error) {
      // The server runs, and a request is no reason to look again.
      this.#isLooking = false;
      this.#parts.log.warn('No telemetry is sent to the provider that was registered', { error });
    } finally {
      this.#joining = undefined;
    }
  }

  async #joinProviders(): Promise<void> {
    const { trace, metrics } = registeredProviders();
    if (!trace && !metrics) return;
    const api = await loadOpenTelemetry();
    if (trace && !this.#isTracing) await this.#openTracing(api);
    if (!metrics || this.#isMetering) return;
    if (this.#metrics) this.#metrics.tell(api);
    else await this.#openMetrics(api);
    this.#isMetering = true;
  }

  /** The metrics in Prometheus form. */
  async respond(): Promise<ExchangeResponse> {
    const { prometheus } = this.#metrics ?? {};
    if (!prometheus) return problem(503, 'The server is not open yet');
    const headers = { 'content-type': prometheus.contentType, 'cache-control': 'private, no-store' };
    return { status: 200, headers, body: await prometheus.text() };
  }

  async #openTracing(api: OpenTelemetry): Promise<void> {
    const [{ tracing }, { SpanContexts }, { protocolCallSpans }] = await Promise.all([
      import('./tracing/tracing.ts'),
      import('./tracing/span-context.ts'),
      import('./tracing/protocol-calls.ts'),
    ]);
    this.#isTracing = true;
    this.#parts.use(tracing(api, this.#parts));
    const contexts = new SpanContexts(api);
    followSpans(contexts, protocolCallSpans(api, contexts));
  }

  async #openMetrics(api: OpenTelemetry | undefined): Promise<void> {
    const { openMetrics } = await import('./metrics/open-metrics.ts');
    this.#metrics = await openMetrics(this.#settings, api, { ...this.#parts, agents: [...this.#parts.agents.keys()] });
    const { metering } = this.#metrics;
    this.#parts.use(metering);
    this.watch = metering;
  }
}

/** Clients in a run are part of the span at hand. */
function followSpans(contexts: { readonly current: TraceSource }, calls: SpanProtocolCall): void {
  const channels = (globalThis as Surroundings).process?.getBuiltinModule?.('node:diagnostics_channel');
  useTraceSource(
    (ambient) => contexts.current(ambient),
    () => channels?.hasSubscribers(FETCH_CHANNEL) === true,
    calls,
  );
}
