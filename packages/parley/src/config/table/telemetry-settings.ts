import { choice, flag, programValue, text, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** What the server tells of itself. */
export const TELEMETRY_SETTINGS: readonly Setting[] = [
  {
    name: 'metrics',
    kind: flag,
    flag: 'metrics',
    default: false,
    about: 'Metrics for Prometheus at /metrics, for operators; needs prom-client',
  },
  {
    name: 'metrics.port',
    kind: wholeNumber(0, 65_535),
    flag: 'metrics-port',
    about: 'A port of their own, which asks for no credentials; 0 takes any free one',
  },
  { name: 'metrics.host', kind: text, default: '127.0.0.1', about: 'The address of that port' },
  {
    name: 'metrics.registry',
    kind: programValue('a registry of prom-client'),
    isProgramValue: true,
    about: 'A registry that the program serves itself',
  },
  {
    name: 'log',
    kind: programValue('a logger'),
    isProgramValue: true,
    about: 'Where messages for operators go; the console without it',
  },
  {
    name: 'log.level',
    kind: choice('silent', 'error', 'warn', 'info', 'debug'),
    flag: 'log-level',
    about: 'The log by pino, on standard error; info has a line for each request',
  },
  {
    name: 'log.format',
    kind: choice('json', 'pretty'),
    flag: 'log-format',
    about: 'The form of that log; pretty in a terminal, else json',
  },
];
