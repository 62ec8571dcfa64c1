import type { GrpcListening } from './adapters/grpc/listen.ts';
import { loadGrpcAdapter } from './adapters/grpc/load.ts';
import { listenError, requireOptions } from './adapters/listen-error.ts';
import { addressOfRequest, isLocalRequest } from './adapters/local-peer.ts';
import type { Listening } from './adapters/node/listen.ts';
import { handleFetch } from './adapters/web/web-exchange.ts';
import type { Agent } from './agent/agent.ts';
import type { MessageContent } from './agent/outcomes.ts';
import type { JsonRpcResponse } from './bindings/jsonrpc/messages.ts';
import type { JsonObject } from './model/basics/json.ts';
import { requireNode } from './model/basics/node-version.ts';
import type { Task } from './model/task.ts';
import { addressOf, resolveConfig } from './server/config.ts';
import { type PublishedCard, type RespondLocally, ServerCore } from './server/core/core.ts';
import type { GrpcOptions } from './server/core/grpc-options.ts';
import { type AdaptedCore, CORE, type HostedServer } from './server/core/hosted.ts';
import { callJsonRpc, type JsonRpcCallOptions, streamJsonRpc } from './server/core/json-rpc-calls.ts';
import type { ListenOptions } from './server/core/listen-options.ts';
import type { TlsOptions } from './server/core/tls-options.ts';
import type { ServerHooks } from './server/follow/hooks.ts';
import type { ServerInterceptor } from './server/intercept/interceptors.ts';
import type { ContextName } from './server/operator/context-name.ts';
import type { ForkContextOptions, ForkedContext, RerunTaskOptions } from './server/operator/copy-options.ts';
import type { PurgeTasksOptions } from './server/operator/purge-options.ts';
import type { A2AServerOptions } from './server/options.ts';

/**
 * Hosts agents.
 *
 * @example
 * const server = new A2AServer({ agents: [hello] });
 * await server.listen({ port: 4000 });
 */
export class A2AServer implements HostedServer {
  /**
   * Responds to web requests; bound, so that `export default server` works on Bun, Deno and Workers. A program that reads it
   * is about to serve: like an adapter it begins to open the server.
   */
  declare readonly fetch: (request: Request, surroundings?: unknown) => Promise<Response>;
  /** Bun reads it from a default export. Its own ten seconds are shorter than the silence between keep-alives. */
  readonly idleTimeout = 0;
  readonly #core: ServerCore;
  readonly #options: A2AServerOptions;
  #listening: Listening | undefined;
  #grpc: GrpcListening | undefined;
  #grpcOpening: Promise<void> | undefined;
  #protocol: 'http' | 'https' = 'http';
  #closing: Promise<void> | undefined;

  constructor(config: A2AServerOptions) {
    requireNode();
    const options = resolveConfig(config);
    this.#options = options;
    const respond: RespondLocally = (core, request, caller) => handleFetch(core, request, { caller });
    this.#core = new ServerCore(options, { respond });
    this.#offerFetch();
  }

  /** The address that the server listens on; undefined before `listen`. */
  get url(): string | undefined {
    if (!this.#listening) return undefined;
    const { host, port } = this.#listening;
    return `${this.#protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** The address of the console, if the setting `console` turns it on; undefined until the server listens. */
  get consoleUrl(): string | undefined {
    return this.url && this.#core.hasConsole ? `${this.url}/console/` : undefined;
  }

  /** The address of gRPC, as `host:port`; undefined until it is served. */
  get grpcAddress(): string | undefined {
    if (!this.#grpc) return undefined;
    const { host, port } = this.#grpc;
    return `${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** The address of the metrics, if the setting `metrics` names a port of their own; undefined until the server is open. */
  get metricsUrl(): string | undefined {
    return this.#core.metricsUrl;
  }

  /**
   * Opens the store and takes up what the process before this one left. `listen` does it, and adapters begin it when they
   * are made; wait for it before your app listens, to hear of a store that cannot be had. Once is enough.
   *
   * @example
   * app.use(a2aExpress(server));
   * await server.open();
   * app.listen(4000);
   */
  async open(): Promise<this> {
    await this.#core.open();
    await this.#listenGrpc({});
    return this;
  }

  /**
   * Serves over HTTP, or HTTPS. Rejects with one clear sentence when the port or the store cannot be had, and where other
   * machines could reach a server that has neither `auth` nor `open`.
   */
  async listen(options: ListenOptions = {}): Promise<this> {
    const { port = 4000, host = '127.0.0.1', tls: given } = requireOptions(options);
    if (this.#listening) throw new Error(`This server listens on ${this.url} already`);
    this.#core.requireSafe({ host, hasTls: given !== undefined, hasAuthority: given?.ca !== undefined });
    const { listenNode } = await import('./adapters/node/listen.ts');
    const tls = given && (await this.#tlsSettings(given));
    await this.#core.open();
    try {
      this.#listening = await listenNode(this.#core, { port, host, tls });
      this.#protocol = tls ? 'https' : 'http';
    } catch (error) {
      await this.#core.close();
      throw listenError(error, port, host);
    }
    try {
      await this.#listenGrpc({ host, tls: given });
    } catch (error) {
      // Why the port could not be had is what its program must hear.
      await this.close().catch(() => undefined);
      throw error;
    }
    return this;
  }

  /** Opens the port of gRPC, where there is to be one, with the host and the certificate of `listen` unless it has its own. */
  #listenGrpc(listened: Pick<ListenOptions, 'host' | 'tls'>): Promise<void> | undefined {
    const { grpc } = this.#options;
    if (!grpc) return undefined;
    this.#grpcOpening ??= this.#openGrpc(grpc, listened).catch((error: unknown) => {
      this.#grpcOpening = undefined;
      throw error;
    });
    return this.#grpcOpening;
  }

  async #openGrpc(grpc: GrpcOptions, listened: Pick<ListenOptions, 'host' | 'tls'>): Promise<void> {
    const { port, host = listened.host ?? '127.0.0.1', reflection = true } = grpc;
    const given = grpc.tls === false ? undefined : (grpc.tls ?? listened.tls);
    this.#core.requireSafe({ host, hasTls: given !== undefined, hasAuthority: given?.ca !== undefined });
    const { listenGrpc, grpcBinding } = await loadGrpcAdapter();
    const tls = given && (await this.#tlsSettings(given));
    const http = () => this.#listening && { port: this.#listening.port, protocol: this.#protocol };
    this.#core.carryGrpc(grpcBinding, undefined);
    this.#grpc = await listenGrpc(this.#core, { port, host, tls, reflection, http }).catch((error: unknown) => {
      const { message } = listenError(error, port, host);
      throw new Error(`${message} (grpc.port)`, { cause: error });
    });
    this.#core.carryGrpc(undefined, this.#grpc.port);
  }

  /**
   * Takes up a renewed certificate: connections that are made from now on see it, those that are open go on. Rejects, and leaves
   * everything as it is, where the new one cannot be used.
   *
   * @example
   * await server.renewTls({ cert: 'fullchain.pem', key: 'privkey.pem' });
   */
  async renewTls(options: TlsOptions): Promise<void> {
    if (this.#protocol !== 'https') throw new Error('This server does not listen with TLS: give listen({ tls }) first');
    const settings = await this.#tlsSettings(options);
    this.#listening?.renew(settings);
    if (this.#options.grpc?.tls === undefined) this.#grpc?.renew(settings);
  }

  async #tlsSettings(options: TlsOptions) {
    const { tlsSettings } = await import('./adapters/node/tls.ts');
    return tlsSettings(options, this.#core.usesCertificates);
  }

  /** A member of the object itself: `deno serve` looks for no other. */
  #offerFetch(): void {
    const core = this.#core;
    const fetch: A2AServer['fetch'] = (request, surroundings) =>
      handleFetch(core, request, {
        isLocal: () => isLocalRequest(request, surroundings),
        address: () => addressOfRequest(request, surroundings),
      });
    const get = () => {
      core.start();
      return fetch;
    };
    Object.defineProperty(this, 'fetch', { get, enumerable: true });
  }

  /** For adapters: `a2aExpress(server)` and its like. */
  get [CORE](): AdaptedCore {
    return this.#core;
  }

  /**
   * Responds to a JSON-RPC body, text or parsed, in the version that it is in. For frameworks of your
   * own; what HTTP brings beside the body, credentials included, is not looked at.
   */
  handleJsonRpc(body: unknown, options?: JsonRpcCallOptions): Promise<JsonRpcResponse> {
    return callJsonRpc(this.#core, addressOf('', this.#options.basePath, options?.agent), body, options);
  }

  /** The same for methods that stream: each event as it is on the wire. An error is thrown, its `code` is JSON-RPC's. */
  handleJsonRpcStream(body: unknown, options?: JsonRpcCallOptions): AsyncGenerator<unknown, void, undefined> {
    return streamJsonRpc(this.#core, addressOf('', this.#options.basePath, options?.agent), body, options);
  }

  /** The card of an agent, by its name in the address, as it is published; that of the default agent without a name. */
  getAgentCard(agentName?: string): PublishedCard {
    return this.#core.publishedCard(agentName, this.#base);
  }

  /** The cards of all agents, the default one's first. */
  getAgentCards(): PublishedCard[] {
    return this.agentNames.map((name, index) => this.getAgentCard(index === 0 ? undefined : name));
  }

  /** The names in the agents' addresses, the default one first. */
  get agentNames(): readonly string[] {
    const names = [...this.#core.agents.keys()];
    const first = this.#options.default ?? names[0];
    return names.sort((one, other) => Number(other === first) - Number(one === first));
  }

  /** The address of an agent, as far as it is known before a request comes. */
  protected addressOf(agentName?: string): string {
    return addressOf(this.#base, this.#options.basePath, agentName);
  }

  get #base(): string {
    return this.#options.url ?? this.url ?? 'http://localhost:4000';
  }

  /**
   * Adds handlers of events, transformers of what is sent, and interceptors inside of those that are there. Transformers must
   * be there before the first request.
   */
  use(extension: ServerHooks & ServerInterceptor): this {
    this.#core.use(extension);
    return this;
  }

  /**
   * Ends a task of any caller, whether or not it runs; the message says why. For those who run the server:
   * no permission is needed. A task that has ended is `TASK_NOT_CANCELABLE`.
   */
  cancelTask(taskId: string, why?: MessageContent): Promise<Task> {
    return this.#core.cancelTask(taskId, why);
  }

  /**
   * Lets other callers of the same tenant, by their subjects, into a conversation. Rejects, and shares with nobody, where one
   * of them has a context of that id already, or where the owner has none. See also `task.context.share`.
   *
   * @example
   * await server.shareContext({ owner: 'ann', id: task.contextId }, ['bob']);
   */
  shareContext(context: ContextName, subjects: readonly string[]): Promise<void> {
    return this.#core.shareContext(context, subjects);
  }

  /**
   * Brings a task of any caller the credential that it waits for in auth-required, e.g. from the page to which a sign-in
   * leads back; the task goes on with it. The credential is neither stored in the history nor shown. A task that does not
   * wait for one is `UNSUPPORTED_OPERATION`.
   *
   * @example
   * await server.authorizeTask(taskId, { access_token: token });
   */
  authorizeTask(taskId: string, credential: MessageContent | JsonObject): Promise<Task> {
    return this.#core.authorizeTask(taskId, credential);
  }

  /**
   * Runs a task of any caller again, as a new task of the same caller in the same context: with the message that began it, or with
   * another one. With `fromStep`, a run of a resumable agent goes on from there: what was recorded before the step is not done
   * again. Resolves with the new task as soon as it is on disk; it names the old one in its references.
   *
   * @example
   * const again = await server.rerun(taskId, { fromStep: 'charge' });
   */
  rerun(taskId: string, options: RerunTaskOptions = {}): Promise<Task> {
    return this.#core.rerun(taskId, options);
  }

  /**
   * Copies a conversation into a new one, up to one of its tasks: its tasks that have ended, with what their runs recorded, and what
   * the context keeps now.
   *
   * @example
   * const { contextId } = await server.forkContext({ owner: 'ann', id: task.contextId }, { upTo: task.id });
   */
  forkContext(context: ContextName, options: ForkContextOptions = {}): Promise<ForkedContext> {
    return this.#core.forkContext(context, options);
  }

  /** The numbers of tasks, feeds and subscriptions in memory right now. */
  get load(): { readonly tasks: number; readonly feeds: number; readonly subscriptions: number } {
    return this.#core.load;
  }

  /**
   * Removes tasks that have ended, with their logs, artifacts, journals and idempotency keys; resolves with how many.
   * Tasks that work or wait stay, whatever is asked for. `retention.tasks` does the same without a call.
   *
   * @example
   * await server.purgeTasks({ endedBefore: Date.now() - 30 * 24 * 3600_000 });
   */
  purgeTasks(options: PurgeTasksOptions): Promise<number> {
    return this.#core.purgeTasks(options);
  }

  /**
   * Takes no new work on and lets runs finish within `drainTimeout`, while reads and health checks are still answered; then ends
   * streams (clients can resume them), what is left of the runs, and the store.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close().finally(() => {
      this.#closing = undefined;
    });
    return this.#closing;
  }

  async #close(): Promise<void> {
    const ports = [this.#listening, this.#grpc];
    for (const port of ports) port?.letGo();
    await this.#core.drain();
    const stopped = ports.map((port) => Promise.resolve(port?.stop()));
    await this.#core.close();
    await Promise.all(stopped);
    this.#core.carryGrpc(undefined, undefined);
    this.#listening = undefined;
    this.#grpc = undefined;
    this.#grpcOpening = undefined;
  }
}

/** One agent on a port: `await serve(agent)`. */
export function serve(
  agent: Agent,
  options: ListenOptions & Omit<A2AServerOptions, 'agents'> = {},
): Promise<A2AServer> {
  const { port, host, tls, ...rest } = options;
  return new A2AServer({ ...rest, agents: [agent] }).listen({ port, host, tls });
}
