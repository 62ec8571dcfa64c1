import { address, choice, flag, programValue, text, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** Traces, metrics and logs. */
export const TELEMETRY_SETTINGS: readonly Setting[] = [
  {
    name: 'telemetry',
    kind: flag,
    default: true,
    about:
      'Starts an OpenTelemetry provider if OTEL_… or telemetry.endpoint is set and @opentelemetry/sdk-node is installed',
  },
  {
    name: 'telemetry.endpoint',
    kind: address,
    about: 'The OTLP receiver of traces and metrics; OTEL_EXPORTER_OTLP_ENDPOINT wins',
  },
  {
    name: 'telemetry.serviceName',
    kind: text,
    about: 'The name of the server in traces and metrics, by default parley; OTEL_SERVICE_NAME wins',
  },
  {
    name: 'metrics',
    kind: flag,
    flag: 'metrics',
    default: false,
    about: 'Serves metrics for Prometheus at /metrics, to operators; needs prom-client',
  },
  {
    name: 'metrics.port',
    kind: wholeNumber(0, 65_535),
    flag: 'metrics-port',
    about: 'Serves the metrics on a port of their own, without credentials; 0 takes any free port',
  },
  { name: 'metrics.host', kind: text, default: '127.0.0.1', about: 'The address of metrics.port' },
  {
    name: 'metrics.registry',
    kind: programValue('a registry of prom-client'),
    isProgramValue: true,
    about: 'A registry that your program serves itself',
  },
  {
    name: 'log',
    kind: programValue('a logger'),
    isProgramValue: true,
    about: 'The logger for messages to operators; by default the console',
  },
  {
    name: 'log.level',
    kind: choice('silent', 'error', 'warn', 'info', 'debug'),
    flag: 'log-level',
    about: 'Logs with pino to standard error; info logs a line for each request',
  },
  {
    name: 'log.format',
    kind: choice('json', 'pretty'),
    flag: 'log-format',
    about: 'The form of the log; by default pretty in a terminal, otherwise json',
  },
];
