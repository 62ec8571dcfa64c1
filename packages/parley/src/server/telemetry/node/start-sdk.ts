import { registeredProviders } from '../open-telemetry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds for which the last spans may take on their way out when a program ends. */
const LONGEST_SHUTDOWN = 5000;

/** A provider of OpenTelemetry that was started here. */
export interface StartedTelemetry {
  /** Sends what is left, for a moment. */
  stop(): Promise<void>;
}

export interface StartTelemetryOptions {
  /** The variables to read. Default: those of the process. */
  readonly env?: Environment | undefined;
  /** Called with the reason if nothing is sent. Default: the console. */
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * Starts a provider by the environment (`OTEL_EXPORTER_OTLP_ENDPOINT` and its like), where any `OTEL_…` is set and
 * `@opentelemetry/sdk-node` is installed. Call it before servers open. Undefined where nothing was started.
 *
 * @example
 * const telemetry = await startOpenTelemetry();
 * const server = await new A2AServer({ agents }).listen();
 * process.once('SIGTERM', () => server.close().then(() => telemetry?.stop()));
 */
export async function startOpenTelemetry({
  env = process.env,
  warn = console.warn,
}: StartTelemetryOptions = {}): Promise<StartedTelemetry | undefined> {
  const { trace, metrics } = registeredProviders();
  if (!isWanted(env) || trace || metrics) return undefined;
  const module = await loadSdk();
  if (!module) {
    warn('OTEL_… is set, but @opentelemetry/sdk-node is not installed: no telemetry is sent');
    return undefined;
  }
  const isNamed = env.OTEL_SERVICE_NAME || env.OTEL_RESOURCE_ATTRIBUTES?.includes('service.name=');
  const sdk = new module.NodeSDK(isNamed ? {} : { serviceName: 'parley' });
  sdk.start();
  return { stop: () => within(sdk.shutdown(), LONGEST_SHUTDOWN) };
}

function isWanted(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  return Object.entries(env).some(([name, value]) => name.startsWith('OTEL_') && Boolean(value));
}

async function loadSdk() {
  try {
    return await import('@opentelemetry/sdk-node');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A receiver that does not answer delays nothing, and one that refuses is no error of the program. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
