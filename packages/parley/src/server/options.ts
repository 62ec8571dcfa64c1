import type { Agent } from '../agent/agent.ts';
import type { ServerBinding } from '../bindings/binding.ts';
import type { DialectDefinition } from '../dialects/definition.ts';
import type { FileEncodingOptions } from '../dialects/file-encoding.ts';
import type { Bus, Clock, Logger, Store } from '../engine/ports.ts';
import type { NodeRole } from '../engine/queue/node-role.ts';
import { isPlainObject } from '../model/basics/json.ts';
import type { IdSource } from '../model/basics/uuid.ts';
import { shown } from '../model/options/checks.ts';
import type { AuthSetting } from './auth/guard/settings.ts';
import type { CardSetting } from './cards/card-setting.ts';
import type { ConsoleSetting } from './console/settings.ts';
import type { GrpcOptions } from './core/grpc-options.ts';
import type { ServerHooks } from './follow/hooks.ts';
import type { TaskStore } from './follow/task-store.ts';
import type { CorsSetting } from './http/cors.ts';
import type { HostsSetting } from './http/door/own-hosts.ts';
import type { ServerInterceptor } from './intercept/interceptors.ts';
import type { ServerLimits } from './limits/limits.ts';
import type { RetentionOptions } from './limits/retention.ts';
import type { CallerSettings, TrafficSetting } from './limits/traffic-settings.ts';
import type { Authorize } from './operations/authorization.ts';
import type { TenantSetting } from './operations/tenants.ts';
import type { PushSettings } from './push/settings.ts';
import type { Mount } from './routing/mounts.ts';
import type { SecretKey } from './secrets/vault.ts';
import type { MetricsSetting } from './telemetry/metrics/settings.ts';

export type { FileEncoding, FileEncodingOptions } from '../dialects/file-encoding.ts';

/** The limits of a server: of its requests, streams and runs, and of its callers. */
export type LimitSettings = Partial<ServerLimits> & TrafficSetting & Partial<CallerSettings>;

export interface A2AServerOptions {
  /** The agents to host, one or more. The keys of a record are the names in the addresses. */
  readonly agents: readonly Agent[] | Readonly<Record<string, Agent>>;
  /** The agent at `/a2a` and on the well-known card. Default: the first. */
  readonly default?: string | undefined;
  /**
   * The address at which clients reach this server, e.g. `https://agents.example.com`, with the prefix of its mount, if
   * any. Default: the address of the request.
   */
  readonly url?: string | undefined;
  /**
   * Trusts the `X-Forwarded-Proto`, `-Host` and `-Prefix` headers of a proxy, for the addresses on cards. Set it only
   * if every request comes through a proxy that sets or removes them. Default false.
   */
  readonly trustProxy?: boolean | undefined;
  /**
   * The host names that clients may use beside `localhost` and the host of `url`, or `true` for any. The server
   * refuses requests for other hosts, and pages of other sites that `cors` does not allow. Default: checked only if
   * `listen` has an address that no other machine reaches.
   */
  readonly hosts?: HostsSetting | undefined;
  /** Lets browsers call from pages of other origins: `true` for any, or a list of origins. Default: off. */
  readonly cors?: CorsSetting | undefined;
  /** The path of all operations. Default `/a2a`. */
  readonly basePath?: string | undefined;
  /** Keeps the tasks: `memory()`, `sqlite(file)`, `postgres(url)` or your own. Default: in memory. */
  readonly store?: Store | undefined;
  /** Your own place for copies of the tasks: a mirror of `store` (see `fromTaskStore`). */
  readonly taskStore?: TaskStore | undefined;
  /**
   * Tells callers apart: one or several authenticators of `parley-a2a/auth`, or one check `{ type, validate }`. Cards
   * declare them. Default: any client may call.
   */
  readonly auth?: AuthSetting | undefined;
  /**
   * Lets any client call on purpose, or says that a proxy lets in only callers it knows. A server without `auth` may
   * then listen on addresses that other machines reach. Its cards may ask for credentials that it does not check
   * itself. Default false.
   */
  readonly open?: boolean | undefined;
  /**
   * Allows or refuses each operation, before the server looks up or creates anything for it. Return `false`, or throw
   * an error such as `forbidden(scope)` of `parley-a2a/auth`, to refuse. Default: callers may do what the scopes of
   * skills allow.
   */
  readonly authorize?: Authorize | undefined;
  /**
   * The key that encrypts the secrets in journals of resumable runs: at least 16 bytes, better 32 random ones. Of
   * several keys, the first encrypts and the others still decrypt. Default: the server keeps no secret, and a resumed
   * run asks again.
   */
  readonly secretKey?: SecretKey | readonly SecretKey[] | undefined;
  /**
   * Functions that wrap each operation, each run and each write to the store; the first one is the outermost. An entry
   * may also be anything that `server.use` takes. Default: none.
   */
  readonly interceptors?: readonly (ServerHooks & ServerInterceptor)[] | undefined;
  /** Sizes, times and counts, and bounds of one caller. Default: see docs/limits.md. */
  readonly limits?: LimitSettings | undefined;
  /**
   * Times to keep ended tasks, conversations and what belongs to them. Default: tasks forever, conversations and keys a
   * day.
   */
  readonly retention?: RetentionOptions | undefined;
  /**
   * Milliseconds that runs may go on after `close`. Meanwhile the server takes no new work, and responds to everything
   * else. Default `10,000`.
   */
  readonly drainTimeout?: number | undefined;
  /**
   * The work of this server among those that share its store: `front` serves requests and cards and runs no agents,
   * `worker` runs agents. Default `all`.
   */
  readonly role?: NodeRole | undefined;
  /** Settings of the webhooks that clients register for their tasks, or `false` for none. Default: on. */
  readonly push?: boolean | PushSettings | undefined;
  /**
   * The tenants: a list or a function. Public cards show a list if callers need no credentials. Default: the tenants of
   * credentials.
   */
  readonly tenants?: TenantSetting | undefined;
  /**
   * All callers without credentials are one subject. `shared` lets them list each other's tasks; `private` shows them
   * only tasks whose id they know. Default: `shared` for calls from this machine to a server that listens on loopback
   * without a proxy, else `private`.
   */
  readonly anonymous?: 'shared' | 'private' | undefined;
  /** Treats a PascalCase method without `A2A-Version` as 1.0. Default true. */
  readonly inferVersion?: boolean | undefined;
  /**
   * The message that `status.message` shows. `agent` is the agent's own. `latest` is the latest message of either side,
   * which the history then leaves out. Default `agent`.
   */
  readonly statusMessageSource?: 'agent' | 'latest' | undefined;
  /**
   * Accepts JSON-RPC batches of methods that do not stream, up to 100. Default false: a batch is an invalid request.
   */
  readonly jsonRpcBatches?: boolean | undefined;
  /** The release that decides the HTTP status of REST errors. The two differ in three cases. Default `1.0.1`. */
  readonly errorTable?: '1.0.0' | '1.0.1' | undefined;
  /**
   * Encoding of files over HTTP+JSON of A2A 0.3, where SDKs differ from the specification. Default: detected when read,
   * written as the SDKs of Python, Go and Java read it.
   */
  readonly fileEncoding?: FileEncodingOptions | undefined;
  /**
   * The card for a request without `A2A-Version`: of one version, or with the members of both. Also the keys that sign
   * cards, and who may read them. Default `merged`, not signed, public.
   */
  readonly card?: CardSetting | undefined;
  /** Dialects of your own beside the built-in ones; see `parley-a2a/dialects`. */
  readonly dialects?: readonly DialectDefinition[] | undefined;
  /**
   * Addresses that speak one dialect. `/api/a2a`, `/a2a/v1` and `/a2a/stream` exist already; a mount with the same path
   * replaces them. A mount at the base path applies to everything below it.
   */
  readonly mounts?: readonly Mount[] | undefined;
  /**
   * Bindings of your own beside JSON-RPC and HTTP+JSON. The server serves each below every agent's address and lists it
   * on the card.
   */
  readonly bindings?: readonly ServerBinding[] | undefined;
  /**
   * Also serves gRPC, on a port of its own, with the packages `@grpc/grpc-js` and `@bufbuild/protobuf`. The port opens
   * with the server. Default: off.
   */
  readonly grpc?: GrpcOptions | undefined;
  /**
   * Serves metrics for Prometheus, with the package `prom-client`: `true` at `/metrics`, for operators, or on a
   * separate port. A registered OpenTelemetry provider gets them without this setting. Default: off.
   */
  readonly metrics?: MetricsSetting | undefined;
  /**
   * Serves the console at `/console`, a page for the operators of the server: `true`, or its options. Callers need the
   * scope `parley:operator`; without `auth`, any program on this machine may. Default: off.
   */
  readonly console?: ConsoleSetting | undefined;
  /**
   * The logger for operators: `{ error, warn }`, or a pino logger, which also gets a line for each request. Default:
   * the console.
   */
  readonly log?: Logger | undefined;
  /** Connects nodes that share a store. Default: the bus of the store, else this process alone. */
  readonly bus?: Bus | undefined;
  /** Replaced in tests. */
  readonly clock?: Clock | undefined;
  /** Replaced in tests. */
  readonly newId?: IdSource | undefined;
}

/** The agents by the names in their addresses. Throws a TypeError for what is no agent. */
export function namedAgents(agents: A2AServerOptions['agents']): ReadonlyMap<string, Agent> {
  requireAgents(agents);
  const list: readonly (readonly [string, Agent])[] = Array.isArray(agents)
    ? agents.map((agent: Agent) => [agent.name, agent] as const)
    : Object.entries(agents);
  if (list.length === 0) throw new TypeError('A server needs at least one agent');
  for (const [, agent] of list) requireRunning(agent);
  const named = new Map(list);
  if (named.size !== list.length) throw new TypeError('Two agents have the same name; give them other names');
  return named;
}

/** Steps in a path, which no address ends with, even where they are encoded. */
const NO_NAMES: readonly string[] = ['', '.', '..'];

function requireAgents(agents: unknown): void {
  if (agents === undefined) throw new TypeError('A server needs at least one agent: { agents: [agent] }');
  if (!isPlainObject(agents) && !Array.isArray(agents)) {
    throw new TypeError(
      `agents must be a list of agents, or an object with agents by their names, not ${shown(agents)}`,
    );
  }
  if (!Array.isArray(agents) && typeof agents.run === 'function') {
    throw new TypeError('agents must be a list of agents, not one agent: { agents: [agent] }');
  }
  for (const [key, agent] of Object.entries(agents)) {
    const name = Array.isArray(agents) ? `agents[${key}]` : `agents.${key}`;
    if (!isPlainObject(agent) || agent instanceof Promise)
      throw new TypeError(`${name} must be an agent of defineAgent, not ${shown(agent)}`);
    if (!Array.isArray(agents) && NO_NAMES.includes(key)) {
      throw new TypeError(`The names of agents are part of their addresses: ${shown(key)} cannot be one`);
    }
  }
}

function requireRunning(agent: Agent): void {
  if (typeof agent.run === 'function' && Array.isArray(agent.skills)) return;
  throw new TypeError(
    `Agent "${agent.name}" does not run by itself: make it with defineAgent, or see parley-a2a/compat for other frameworks`,
  );
}
