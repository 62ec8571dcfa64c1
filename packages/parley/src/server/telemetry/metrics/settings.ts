import { anything, members, requireRight, text } from '../../../model/options/checks.ts';

/** A registry of `prom-client`, as far as it is used here: nobody needs the package for its types. */
export interface PrometheusRegistry {
  metrics(): Promise<string>;
  readonly contentType: string;
}

/** Metrics in the form of Prometheus. */
export interface MetricsSettings {
  /**
   * A separate port, which asks for no credentials; 0 takes any free one. Default: `/metrics` of the server, for
   * operators.
   */
  readonly port?: number | undefined;
  /** The address of that port. Default `127.0.0.1`: only this machine. */
  readonly host?: string | undefined;
  /** A registry of `prom-client` that your program serves. The server then serves nothing, unless you name a port. */
  readonly registry?: PrometheusRegistry | undefined;
}

export type MetricsSetting = boolean | MetricsSettings;

/** The port and the registry are looked at by themselves. */
const check = members<MetricsSettings>({ port: anything, host: text, registry: anything });

/** Undefined where they are off. Throws a TypeError that names what is wrong. */
export function readMetricsSetting(setting: MetricsSetting | undefined): MetricsSettings | undefined {
  if (setting === undefined || setting === false) return undefined;
  if (setting === true) return {};
  requireRight('', check(setting, 'metrics'));
  const { port, host, registry } = setting;
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new TypeError(`metrics.port must be a whole number from 0 to 65535, not ${String(port)}`);
  }
  if (host !== undefined && port === undefined) {
    throw new TypeError(
      'metrics.host needs metrics.port: without a port of their own, metrics are where the server listens',
    );
  }
  if (registry !== undefined && typeof registry.metrics !== 'function') {
    throw new TypeError('metrics.registry must be a registry of prom-client');
  }
  return setting;
}
