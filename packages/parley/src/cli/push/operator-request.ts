import type { A2AClient } from '../../client/every-dialect-client.ts';
import type { AgentInterface } from '../../model/card.ts';

/** The operators' part of a server is at the base of its agents' addresses. By a tenant's card, only its part is asked for. */
function operatorUrl({ url, tenant }: AgentInterface, path: string): string {
  const base = url.replace(/(?<!\/)\/+$/, '').replace(/\/agents\/[^/]+$/, '');
  if (!tenant) return `${base}/operator${path}`;
  return `${base}/operator${path}${path.includes('?') ? '&' : '?'}tenant=${encodeURIComponent(tenant)}`;
}

/** A response of the operators' part. */
export interface OperatorResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Asks the operators' part of a server with the credentials of a client: its next request goes there in the place of the
 * operation. So logins, tokens and refusals are as for every other command.
 */
export class OperatorRequest {
  readonly #client: () => A2AClient | undefined;
  #next: { readonly method: string; readonly path: string } | undefined;
  #response: OperatorResponse | undefined;

  constructor(client: () => A2AClient | undefined) {
    this.#client = client;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const called = this.#client()?.interface;
    const url = input instanceof Request ? input.url : String(input);
    if (!this.#next || called === undefined || !url.startsWith(called.url)) return fetch(input, init);
    const { method, path } = this.#next;
    const { headers: given, signal } = new Request(input, init);
    const headers = new Headers(given);
    for (const name of ['content-type', 'content-length']) headers.delete(name);
    const response = await fetch(operatorUrl(called, path), { method, headers, signal, redirect: 'manual' });
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    const text = await response.text();
    if (isJson) this.#response = { status: response.status, body: JSON.parse(text) as unknown };
    return new Response(text, { status: response.status, headers: response.headers });
  };

  /** Rejects like an operation where the server refuses the caller, or has no such part. */
  async send(method: 'GET' | 'POST', path: string, signal: AbortSignal): Promise<OperatorResponse> {
    this.#next = { method, path };
    this.#response = undefined;
    try {
      await this.#client()?.getTask('-', { signal });
    } catch (error) {
      const response: OperatorResponse | undefined = this.#response;
      if (response === undefined || (response as OperatorResponse).status === 401) throw error;
    } finally {
      this.#next = undefined;
    }
    return this.#response ?? { status: 404, body: {} };
  }
}
