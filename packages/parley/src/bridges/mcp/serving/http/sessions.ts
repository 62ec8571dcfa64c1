import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isPlainObject } from '../../../../model/basics/json.ts';
import { REQUEST_BYTES, SESSION_IDLE, SESSIONS } from '../limits.ts';
import { type BridgeServer, type BridgeServerOptions, bridgeServer } from '../server.ts';

interface Session extends BridgeServer {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

/** For tests. */
interface SessionSettings {
  readonly now?: (() => number) | undefined;
  readonly most?: number | undefined;
}

/**
 * Clients of 2025-11-25 over HTTP have a session: the server asks them questions in the middle of a call, so it must know to
 * whom it speaks. Sessions are in memory; a client whose session is gone is told so (404) and begins another.
 */
export class Sessions {
  readonly #options: BridgeServerOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #now: () => number;
  readonly #most: number;

  constructor(options: BridgeServerOptions, { now = Date.now, most = SESSIONS }: SessionSettings = {}) {
    this.#options = options;
    this.#now = now;
    this.#most = most;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** `body`: the parsed one of a POST. */
  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (!isInitialize(body))
        return refusal(400, 'A session begins with initialize; later requests name it in Mcp-Session-Id');
      return this.#begin(request, body);
    }
    const session = this.#sessions.get(id);
    if (!session) return refusal(404, 'There is no such session; begin another one with initialize');
    return this.#use(session, request, body);
  }

  /** Tells all clients that the tools are others. */
  tellChange(): void {
    for (const { server } of this.#sessions.values()) server.sendToolListChanged().catch(() => {});
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    await this.#makeRoom();
    if (this.#sessions.size >= this.#most) {
      return refusal(503, `There are ${this.#most} sessions, and all of them are busy`, { 'retry-after': '60' });
    }
    const { sdk } = this.#options;
    const bridge = bridgeServer(this.#options, 'legacy');
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
      maxRequestBodySize: REQUEST_BYTES,
    });
    const session: Session = { ...bridge, transport, usedAt: this.#now() };
    await bridge.server.connect(transport);
    return this.#use(session, request, body);
  }

  #use(session: Session, request: Request, body: unknown): Promise<Response> {
    session.usedAt = this.#now();
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  /** Ends sessions that were quiet for long, and where there are too many, those that were quiet for the longest. */
  async #makeRoom(): Promise<void> {
    const quiet = [...this.#sessions].filter(([, { calls }]) => calls() === 0);
    const oldest = quiet.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    const excess = this.#sessions.size + 1 - this.#most;
    const leaving = oldest.filter(([, { usedAt }], index) => index < excess || usedAt + SESSION_IDLE < this.#now());
    for (const [id] of leaving) this.#sessions.delete(id);
    await Promise.all(leaving.map(([, { server }]) => server.close()));
  }
}

function isInitialize(body: unknown): boolean {
  return isPlainObject(body) && body.method === 'initialize';
}

/** A refusal in the form of JSON-RPC, with an unknown id. */
export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
}
