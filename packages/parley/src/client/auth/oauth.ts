import { readText } from '../../bindings/http/response.ts';
import { A2AError } from '../../model/errors.ts';
import { isPlainObject } from '../../model/json.ts';
import type { Timing } from '../call/timing.ts';
import type { ClientCredentials } from '../options.ts';

interface Token {
  readonly value: string;
  /** When to get another one. */
  readonly renewAt: number;
}

const LARGEST_ANSWER = 2 ** 18;
const LONGEST_WAIT_MS = 30_000;
const DEFAULT_LIFETIME_S = 3600;
/** A token is renewed this long before it ends, or after nine tenths of a short life. */
const MARGIN_MS = 60_000;

export interface TokenRequest {
  readonly tokenUrl: string;
  readonly client: ClientCredentials;
  readonly scopes: readonly string[];
  /** The token that was refused; it is not returned again. */
  readonly refused?: string | undefined;
}

/** Tokens by OAuth 2 client credentials (RFC 6749 §4.4): got once, kept until they are nearly over or refused. */
export class TokenSource {
  readonly #fetch: typeof fetch;
  readonly #timing: Timing;
  readonly #tokens = new Map<string, Promise<Token>>();

  constructor(send: typeof fetch, timing: Timing) {
    this.#fetch = send;
    this.#timing = timing;
  }

  async token(request: TokenRequest): Promise<string> {
    const key = JSON.stringify([request.tokenUrl, request.client.clientId, request.scopes]);
    const known = this.#tokens.get(key);
    if (known) {
      const token = await known.catch(() => undefined);
      if (token && token.value !== request.refused && token.renewAt > this.#timing.now()) return token.value;
    }
    // Calls that come meanwhile wait for the same token.
    if (this.#tokens.get(key) === known) this.#tokens.set(key, this.#fetchToken(request));
    const token = await this.#tokens.get(key);
    if (!token) throw new A2AError('UNAUTHENTICATED', 'There is no token');
    return token.value;
  }

  async #fetchToken(request: TokenRequest): Promise<Token> {
    const inHeader = await this.#ask(request, true);
    // Some servers take the secret in the body only (RFC 6749 §2.3.1 leaves that open to them).
    const answer = inHeader.status === 400 || inHeader.status === 401 ? await this.#ask(request, false) : inHeader;
    const parsed = parse(answer.text);
    const value = parsed?.access_token;
    if (answer.status !== 200 || typeof value !== 'string' || value === '') {
      const why = typeof parsed?.error === 'string' ? parsed.error : `status ${answer.status}`;
      throw new A2AError('UNAUTHENTICATED', `No token from ${new URL(request.tokenUrl).origin}: ${why}`);
    }
    const seconds = Number(parsed?.expires_in ?? DEFAULT_LIFETIME_S);
    const lifetime = (Number.isFinite(seconds) && seconds > 0 ? seconds : DEFAULT_LIFETIME_S) * 1000;
    return { value, renewAt: this.#timing.now() + Math.max(lifetime - MARGIN_MS, lifetime * 0.9) };
  }

  async #ask({ tokenUrl, client, scopes }: TokenRequest, inHeader: boolean): Promise<{ status: number; text: string }> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (scopes.length > 0) form.set('scope', scopes.join(' '));
    const headers = new Headers({ accept: 'application/json' });
    if (inHeader) {
      headers.set('authorization', basic(encodeURIComponent(client.clientId), encodeURIComponent(client.clientSecret)));
    } else {
      form.set('client_id', client.clientId);
      form.set('client_secret', client.clientSecret);
    }
    // A redirect would carry the secret somewhere else.
    // Several calls may wait for the same token, so no call's signal ends it.
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    const response = await this.#fetch(tokenUrl, {
      method: 'POST',
      body: form,
      headers,
      redirect: 'error',
      signal,
    }).catch((cause: unknown) => {
      throw new A2AError('UNREACHABLE', `No connection to the token server ${new URL(tokenUrl).origin}`, { cause });
    });
    return { status: response.status, text: await readText(response, LARGEST_ANSWER, signal) };
  }
}

/** `Basic` of RFC 7617, in UTF-8. */
export function basic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
