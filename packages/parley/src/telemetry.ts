// Telemetry beside the server's settings: a provider of OpenTelemetry by the environment, and the trace of a run for
// requests that no client of this package makes.
import { currentTrace } from './bindings/http/current-trace.ts';
import { traceHeaders as headersOf } from './model/basics/trace-context.ts';

export {
  type StartedTelemetry,
  type StartTelemetryOptions,
  startOpenTelemetry,
} from './server/telemetry/node/start-sdk.ts';

/**
 * The headers that make a request part of the trace of the run that it is made in; empty if there is none. Clients of this
 * package send them by themselves.
 *
 * @example
 * await fetch(url, { headers: { ...traceHeaders(), accept: 'application/json' } });
 */
export function traceHeaders(): Record<string, string> {
  const trace = currentTrace();
  return trace ? headersOf(trace) : {};
}
