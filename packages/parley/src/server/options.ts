import type { Agent } from '../agent/agent.ts';
import type { ServerBinding } from '../bindings/binding.ts';
import type { DialectDefinition } from '../dialects/definition.ts';
import type { FileEncodingOptions } from '../dialects/file-encoding.ts';
import type { Bus, Clock, Logger, Store } from '../engine/ports.ts';
import type { NodeRole } from '../engine/queue/node-role.ts';
import type { IdSource } from '../model/basics/uuid.ts';
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
import type { CardAccess } from './routing/routes.ts';
import type { SecretKey } from './secrets/vault.ts';
import type { MetricsSetting } from './telemetry/metrics/settings.ts';

export type { FileEncoding, FileEncodingOptions } from '../dialects/file-encoding.ts';

/** The limits of a server: of its requests, streams and runs, and of its callers. */
export type LimitSettings = Partial<ServerLimits> & TrafficSetting & Partial<CallerSettings> & FormerLimits;

interface FormerLimits {
  /** @deprecated The name of before for `drainTimeout`, which stands beside `limits`. */
  readonly closeGrace?: number | undefined;
}

export interface A2AServerOptions {
  /** One agent or more; in a record, the keys are the names in their addresses. */
  readonly agents: readonly Agent[] | Readonly<Record<string, Agent>>;
  /** The agent at `/a2a` and of the well-known card. Default: the first. */
  readonly default?: string | undefined;
  /**
   * Where clients reach this server, e.g. `https://agents.example.com`, with the prefix it is mounted under, if any.
   * Default: as the request addressed it.
   */
  readonly url?: string | undefined;
  /**
   * Believe the `X-Forwarded-Proto`, `-Host` and `-Prefix` of a proxy, for the addresses on cards. Only where every request
   * comes through a proxy that sets or removes them. Default false.
   */
  readonly trustProxy?: boolean | undefined;
  /**
   * The names by which clients address this server beside `localhost` and the host of `url`, or `true` for any. Requests for
   * other hosts, and pages of other sites that `cors` does not allow, are refused. Default: looked at only where `listen` has
   * an address that no other machine reaches.
   */
  readonly hosts?: HostsSetting | undefined;
  /** Let browsers call from pages of other origins: `true` for any, or the origins by name. Default: off. */
  readonly cors?: CorsSetting | undefined;
  /** The same as `url`, with the base path or without. */
  readonly cardUrl?: string | undefined;
  /** Default `/a2a`. */
  readonly basePath?: string | undefined;
  /** Where tasks live. Default: in memory. */
  readonly store?: Store | undefined;
  /** A place of your own where tasks are to be found as well; a mirror of `store` (see `fromTaskStore`). */
  readonly taskStore?: TaskStore | undefined;
  /**
   * How callers are told apart: one or several authenticators of `parley-a2a/auth`, or one check `{ type, validate }`. Cards
   * declare them. Default: anybody may call.
   */
  readonly auth?: AuthSetting | undefined;
  /** `guarded`: only callers whose credentials are valid may read cards and the list of agents. Default `public`. */
  readonly cards?: CardAccess | undefined;
  /**
   * Anybody may call on purpose, or a proxy before this server lets in only whom it knows: a server without `auth` may
   * then listen on addresses that other machines reach, and its cards may ask for what it does not check itself. Default false.
   */
  readonly open?: boolean | undefined;
  /**
   * Decides about each operation before anything is looked up or created for it: `false`, or an error such as
   * `forbidden(scope)` of `parley-a2a/auth`, refuses it. Default: callers may do what the scopes of skills allow.
   */
  readonly authorize?: Authorize | undefined;
  /**
   * Encrypts the secrets that journals of resumable runs keep: at least 16 bytes, better 32 random ones. Of several keys
   * the first encrypts, the others still decrypt. Default: no secret is kept, and a resumed run asks again.
   */
  readonly secretKey?: SecretKey | readonly SecretKey[] | undefined;
  /**
   * Functions around each operation, each run and each write to the store; the first one is the outermost. They may also
   * be all else that `server.use` takes. Default: none.
   */
  readonly interceptors?: readonly (ServerHooks & ServerInterceptor)[] | undefined;
  readonly limits?: LimitSettings | undefined;
  /** How long ended tasks, conversations and what belongs to them are kept. Default: tasks for ever, conversations and keys a day. */
  readonly retention?: RetentionOptions | undefined;
  /**
   * How long runs may go on after `close`, in milliseconds. Meanwhile the server takes no new work on, and answers all else.
   * Default `10,000`.
   */
  readonly drainTimeout?: number | undefined;
  /**
   * The part of the work that this server does among those that share its store: `front` serves requests and cards and runs nothing,
   * `worker` is there for what waits. Default `all`.
   */
  readonly role?: NodeRole | undefined;
  /** Webhooks that clients register for their tasks: how they are told, or `false` for none. Default: on. */
  readonly push?: boolean | PushSettings | undefined;
  /**
   * The tenants that there are: a list, which stands on public cards where no credentials are asked for, or a function. Default: those
   * that credentials name.
   */
  readonly tenants?: TenantSetting | undefined;
  /**
   * Callers without credentials are one subject. `shared`: they may list each other's tasks. `private`: they only get a
   * task whose id they know. Default: `shared` for calls from this machine to a server that listens on
   * loopback and has no proxy before it, else `private`.
   */
  readonly anonymous?: 'shared' | 'private' | undefined;
  /** Take a PascalCase method without `A2A-Version` for 1.0. Default true. */
  readonly inferVersion?: boolean | undefined;
  /**
   * The source of `status.message`: the agent's word on the state, or the latest message of either side, which is then
   * left out of the history. Default `agent`.
   */
  readonly statusMessageSource?: 'agent' | 'latest' | undefined;
  /** Accept JSON-RPC batches of methods that do not stream, up to 100. Default false: a batch is an invalid request. */
  readonly jsonRpcBatches?: boolean | undefined;
  /** Which release's HTTP statuses REST errors have (they differ in three cells). Default `1.0.1`. */
  readonly errorTable?: '1.0.0' | '1.0.1' | undefined;
  /**
   * The encoding of files over HTTP+JSON of A2A 0.3, where SDKs differ from the specification. Default: detected when
   * read, written as the SDKs of Python, Go and Java read it.
   */
  readonly fileEncoding?: FileEncodingOptions | undefined;
  /**
   * The card that a request without `A2A-Version` gets, one version's or both sets of members, and the keys that cards are
   * signed with. Default `merged`, not signed.
   */
  readonly card?: CardSetting | undefined;
  /** Dialects of your own, beside those that are always there; see `parley-a2a/dialects`. */
  readonly dialects?: readonly DialectDefinition[] | undefined;
  /**
   * Addresses that speak one dialect. `/api/a2a`, `/a2a/v1` and `/a2a/stream` are there already; a mount of the same path
   * takes their place, and one at the base path decides for all that is below it.
   */
  readonly mounts?: readonly Mount[] | undefined;
  /** Bindings of your own beside JSON-RPC and HTTP+JSON: each is served below every agent's address and stands on its card. */
  readonly bindings?: readonly ServerBinding[] | undefined;
  /**
   * Serves gRPC too, on a port of its own, by the packages `@grpc/grpc-js` and `@bufbuild/protobuf`. The port opens with the
   * server. Default: off.
   */
  readonly grpc?: GrpcOptions | undefined;
  /** How long clients may keep a card, in seconds. Default 300. */
  readonly cardMaxAge?: number | undefined;
  /**
   * Metrics in Prometheus form, by the package `prom-client`: `true` for `/metrics`, which operators may read, or a port of
   * their own. Default: off. A provider of OpenTelemetry that the program has registered is told of them without this.
   */
  readonly metrics?: MetricsSetting | undefined;
  /**
   * The console at `/console`, a page for those who run the server: `true`, or its options. Callers need the scope
   * `parley:operator`; without `auth`, whoever is on this machine. Default: off.
   */
  readonly console?: ConsoleSetting | undefined;
  /** For operators: `{ error, warn }`, or a logger of pino, which gets a line for each request too. Default: the console. */
  readonly log?: Logger | undefined;
  /** How several nodes hear of each other. Default: this process alone. */
  readonly bus?: Bus | undefined;
  /** Replaced in tests. */
  readonly clock?: Clock | undefined;
  /** Replaced in tests. */
  readonly newId?: IdSource | undefined;
}

/** The agents by the names in their addresses. Throws a TypeError for what is no agent. */
export function namedAgents(agents: A2AServerOptions['agents']): ReadonlyMap<string, Agent> {
  const list: readonly (readonly [string, Agent])[] = Array.isArray(agents)
    ? agents.map((agent: Agent) => [agent.name, agent] as const)
    : Object.entries(agents);
  if (list.length === 0) throw new TypeError('A server needs at least one agent');
  for (const [, agent] of list) requireRunning(agent);
  const named = new Map(list);
  if (named.size !== list.length) throw new TypeError('Two agents have the same name; give them other names');
  return named;
}

function requireRunning(agent: Agent): void {
  if (typeof agent.run === 'function' && Array.isArray(agent.skills)) return;
  throw new TypeError(
    `Agent "${agent.name}" does not run by itself: make it with defineAgent, or see parley-a2a/compat for other frameworks`,
  );
}
