import type { A2AServerOptions } from '../server/options.ts';

/** A time: milliseconds, or a text such as `30s`, `5m`, `2h`. */
export type ConfigTime = number | string;

type ServerSettings = Omit<
  A2AServerOptions,
  'agents' | 'store' | 'bus' | 'auth' | 'card' | 'limits' | 'push' | 'drainTimeout' | 'clock' | 'newId'
>;

/** The limits as a file has them: times and sizes may be texts such as `5m` and `16MB`. */
type Written<Settings> = {
  readonly [Name in keyof Settings]?: Settings[Name] extends number | undefined
    ? number | string | undefined
    : Settings[Name];
};

/** The settings of `parley.config.ts` and `parley.config.json`; docs/configuration.md lists it all. */
export interface ParleyConfig extends ServerSettings {
  /** Modules whose exports are the agents, relative to the file. */
  readonly agents?: readonly string[] | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** A SQLite file, `memory`, the address of a Postgres database, or a store. */
  readonly store?: string | A2AServerOptions['store'];
  /** The address of NATS, or a bus. */
  readonly bus?: string | A2AServerOptions['bus'];
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string } | undefined;
  /** Authenticators of `parley-a2a/auth`, or what they are made of. */
  readonly auth?: A2AServerOptions['auth'] | ConfigAuth;
  readonly card?: 'merged' | '1.0' | '0.3' | ConfigCard | undefined;
  readonly drainTimeout?: ConfigTime | undefined;
  /** The OpenTelemetry provider that the command starts; false starts none. */
  readonly telemetry?: boolean | ConfigTelemetry | undefined;
  readonly limits?: Written<NonNullable<A2AServerOptions['limits']>> | undefined;
  readonly push?: boolean | Written<Exclude<NonNullable<A2AServerOptions['push']>, boolean>> | undefined;
}

export interface ConfigAuth {
  /** The file with the API keys that callers must have. */
  readonly keys?: string | undefined;
  readonly jwt?:
    | {
        readonly issuer: string;
        readonly audience: string | readonly string[];
        readonly jwks?: string;
        readonly secret?: string;
        readonly tenant?: string;
      }
    | undefined;
}

export interface ConfigCard {
  readonly shape?: 'merged' | '1.0' | '0.3' | undefined;
  /** Files with the private keys that sign cards. */
  readonly sign?: string | readonly string[] | undefined;
  /** The callers that may read cards and the list of agents. Default `public`. */
  readonly access?: 'public' | 'guarded' | undefined;
  /** Seconds for which clients may cache a card. Default 300. */
  readonly maxAge?: number | undefined;
}

/** Stands in for the variables of OpenTelemetry that are not set. */
export interface ConfigTelemetry {
  /** The OTLP receiver. */
  readonly endpoint?: string | undefined;
  readonly serviceName?: string | undefined;
}

/**
 * The settings of `parley serve`, with help from the editor.
 *
 * @example
 * // parley.config.ts
 * import { defineConfig } from 'parley-a2a/config';
 * export default defineConfig({ agents: ['agent.ts'], port: 8080, store: 'tasks.db', drainTimeout: '30s' });
 */
export function defineConfig(config: ParleyConfig): ParleyConfig {
  return config;
}
