import type { Client, DiscoverResult, Transport } from '@modelcontextprotocol/client';
import { withBoundedMessages } from '../../../bindings/http/bounded-messages.ts';
import { type Limits, type McpSource, messageBytes, nameOf } from './options.ts';
import { loadClientPackage, loadStdioPackage } from './packages.ts';

/** Characters of a server's stderr that are kept for errors. */
const KEPT_STDERR = 2000;

/** The known facts about the server; a new connection need not ask again. */
type Known = { readonly kind: 'modern'; readonly discover: DiscoverResult } | { readonly kind: 'legacy' };

/** The connection to a server: made when it is needed, and again where the server has died. */
export class McpConnection {
  readonly #source: McpSource;
  readonly #limits: Limits;
  #client: Promise<Client> | undefined;
  /** The client of that promise, once it is connected. */
  #connected: Client | undefined;
  #known: Known | undefined;
  #isClosed = false;

  constructor(source: McpSource, limits: Limits) {
    this.#source = source;
    this.#limits = limits;
  }

  /** The server as people know it. */
  get name(): string {
    return nameOf(this.#source);
  }

  /** Its address over HTTP; undefined for a process. */
  get address(): string | undefined {
    return 'command' in this.#source ? undefined : String(this.#source.url);
  }

  client(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new Error(`The tools of ${this.name} are closed`));
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  /** The next call reconnects. */
  forget(client: Client): void {
    if (this.#connected !== client) return;
    this.#connected = undefined;
    this.#client = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.close();
  }

  async #connect(): Promise<Client> {
    const { Client: NewClient } = await loadClientPackage();
    const { protocol } = this.#source;
    const mode = protocol === undefined ? 'auto' : protocol === '2025-11-25' ? 'legacy' : { pin: protocol };
    const timeout = this.#limits.connectTimeout;
    const client: Client = new NewClient(
      { name: 'parley', version: '1' },
      { versionNegotiation: { mode, probe: { timeoutMs: timeout } } },
    );
    const { transport, lastWords } = await this.#transport();
    let isOver = false;
    client.onclose = () => {
      isOver = true;
      this.forget(client);
    };
    try {
      await client.connect(transport, { timeout, ...(this.#known && { prior: this.#known }) });
      if (isOver) throw new Error('Connection closed');
    } catch (cause) {
      await client.close().catch(() => {});
      throw new Error(`Cannot use the MCP server ${this.name}: ${messageOf(cause)}${lastWords()}`, { cause });
    }
    const discover = client.getDiscoverResult();
    this.#known = discover ? { kind: 'modern', discover } : { kind: 'legacy' };
    this.#connected = client;
    return client;
  }

  async #transport(): Promise<{ readonly transport: Transport; readonly lastWords: () => string }> {
    const source = this.#source;
    if (!('command' in source)) {
      const { StreamableHTTPClientTransport } = await loadClientPackage();
      const transport = new StreamableHTTPClientTransport(new URL(source.url), {
        ...(source.headers && { requestInit: { headers: { ...source.headers } } }),
        fetch: withBoundedMessages(source.fetch ?? fetch, messageBytes(this.#limits)) as never,
      });
      return { transport, lastWords: () => '' };
    }
    const { StdioClientTransport, getDefaultEnvironment } = await loadStdioPackage();
    const transport = new StdioClientTransport({
      command: source.command,
      args: [...(source.args ?? [])],
      env: { ...getDefaultEnvironment(), ...source.env },
      ...(source.cwd !== undefined && { cwd: source.cwd }),
      stderr: 'pipe',
      maxBufferSize: messageBytes(this.#limits),
    });
    let said = '';
    transport.stderr?.on('data', (chunk: unknown) => {
      said = `${said}${String(chunk)}`.slice(-KEPT_STDERR);
    });
    return { transport, lastWords: () => (said.trim() === '' ? '' : `\n${said.trim()}`) };
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
