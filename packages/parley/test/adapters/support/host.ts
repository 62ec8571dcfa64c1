import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { contractAgents } from './agents.ts';

/** What middleware of the app does with bodies before the A2A server sees them; `lost` leaves nothing of them. */
export type Parsing = 'object' | 'text' | 'bytes' | 'lost';

/** The app around the server. */
export interface AppOptions {
  /** Where the app mounts the server. Default: at its root. */
  readonly prefix?: string | undefined;
  readonly parsing?: Parsing | undefined;
}

/** All of it can be written as JSON, so that a host may be another process. */
export interface HostOptions extends AppOptions {
  readonly server?: Pick<A2AServerOptions, 'cors' | 'limits' | 'trustProxy' | 'url'> | undefined;
}

export interface Hosting {
  /** Where the app is, without the prefix. */
  readonly url: string;
  readonly load: () => A2AServer['load'] | Promise<A2AServer['load']>;
  readonly stop: () => Promise<void>;
}

/** A way of putting an A2A server on the network. The contract runs on each. */
export interface Host {
  readonly name: string;
  /** The app has `GET /own` and `GET /healthz`, which answer `the app`, and a 404 that does not speak of A2A. */
  readonly isApp: boolean;
  readonly mounts: boolean;
  readonly parsing: readonly Parsing[];
  /** Methods that the framework refuses by itself, without a word on those that there are. */
  readonly ownMethods?: readonly string[] | undefined;
  /** The framework corrects `X-Forwarded-*` before anybody sees them. */
  readonly ownForwarding?: boolean | undefined;
  /** What the framework adds to `Vary`, in lower case. */
  readonly ownVary?: readonly string[] | undefined;
  /** Serves `contractAgents`. */
  start(options: HostOptions): Promise<Hosting>;
}

/** A server at work in some app. */
export interface Served {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export type Serve = (server: A2AServer, app: AppOptions) => Promise<Served>;

/** A host in this process, which can also serve other servers than that of the contract. */
export interface LocalHost extends Host {
  readonly serve: Serve;
}

export function localHost(traits: Omit<Host, 'start'>, serve: Serve): LocalHost {
  return {
    ...traits,
    serve,
    async start({ server: settings, ...app }) {
      const server = new A2AServer(serverOptions(settings));
      const { url, stop } = await serve(server, app);
      return {
        url,
        load: () => server.load,
        async stop() {
          // The streams end first: apps wait for the answers that they are giving.
          await server.close();
          await stop();
        },
      };
    },
  };
}

/** The server of the contract, also for hosts in other processes. */
export function serverOptions(settings: HostOptions['server']): A2AServerOptions {
  return {
    agents: contractAgents,
    anonymous: 'shared',
    log: { error: () => {}, warn: () => {} },
    drainTimeout: 0,
    ...settings,
  };
}

/** Listens on a free port. */
export async function listening(server: Server): Promise<Served> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
