import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { REQUEST_BYTES } from '../limits.ts';
import { type BridgeServerOptions, bridgeServer } from '../server.ts';
import { refusal, Sessions } from './sessions.ts';

/** The bridge over streamable HTTP, for web requests: without a state since 2026-07-28, with sessions before. */
export class HttpBridge {
  readonly #options: BridgeServerOptions;
  readonly #modern: McpHttpHandler;
  readonly #sessions: Sessions;

  constructor(options: BridgeServerOptions, onError: (error: Error) => void) {
    this.#options = options;
    this.#modern = options.sdk.createMcpHandler(() => bridgeServer(options, 'modern').server, {
      legacy: 'reject',
      maxRequestBodySize: REQUEST_BYTES,
      onerror: onError,
    });
    this.#sessions = new Sessions(options);
    options.roster.onChange(() => {
      this.#modern.notify.toolsChanged();
      this.#sessions.tellChange();
    });
  }

  /** `text`: the body of a POST, which is there already. */
  async handle(request: Request, text: string): Promise<Response> {
    if (!['POST', 'GET', 'DELETE'].includes(request.method)) {
      return refusal(405, 'Only POST, GET and DELETE are served', { allow: 'POST, GET, DELETE' });
    }
    const body = request.method === 'POST' ? parsed(text) : undefined;
    if (request.method === 'POST' && body === undefined) return refusal(400, 'The body is not JSON');
    const { isJsonContentType, isLegacyRequest } = this.#options.sdk;
    if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type'))) {
      return refusal(415, 'The content type must be application/json');
    }
    if (await isLegacyRequest(request, body)) return this.#sessions.handle(request, body);
    return this.#modern.fetch(request, { parsedBody: body });
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
