import { readText } from '../../bindings/http/response.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { OAuth, TokenRequest } from '../options.ts';
import { basic } from './basic.ts';

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

/** A request for a token whose address and scopes are settled. */
interface SettledRequest extends TokenRequest {
  readonly tokenUrl: string;
}

/**
 * Tokens by OAuth 2 client credentials (RFC 6749 §4.4): got once, kept until they are nearly over or refused. The client of
 * `parley-a2a` has it; one of `parley-a2a/client` is handed it: `oauth: clientCredentials()`.
 */
export function clientCredentials(): OAuth {
  return new TokenSource();
}

class TokenSource implements OAuth {
  readonly #tokens = new Map<string, Promise<Token>>();

  async token(wanted: TokenRequest): Promise<string> {
    const { client } = wanted;
    const tokenUrl = client.tokenUrl ?? tokenUrlOf(wanted);
    const request: SettledRequest = { ...wanted, tokenUrl, scopes: client.scopes ?? wanted.scopes };
    const key = JSON.stringify([request.tokenUrl, request.client.clientId, request.scopes]);
    const known = this.#tokens.get(key);
    if (known) {
      const token = await known.catch(() => undefined);
      if (token && token.value !== request.refused && token.renewAt > request.now()) return token.value;
    }
    // Calls that come meanwhile wait for the same token.
    if (this.#tokens.get(key) === known) this.#tokens.set(key, this.#fetchToken(request));
    const token = await this.#tokens.get(key);
    if (!token) throw new A2AError('UNAUTHENTICATED', 'There is no token');
    return token.value;
  }

  async #fetchToken(request: SettledRequest): Promise<Token> {
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
    return { value, renewAt: request.now() + Math.max(lifetime - MARGIN_MS, lifetime * 0.9) };
  }

  async #ask(request: SettledRequest, inHeader: boolean): Promise<{ status: number; text: string }> {
    const { tokenUrl, client, scopes, fetch: send } = request;
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
    const response = await send(tokenUrl, {
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

/** The address on the card is used only where the card may send secrets to. */
function tokenUrlOf({ name, scheme, isTrusted }: TokenRequest): string {
  const url = scheme.type === 'oauth2' ? scheme.flows.clientCredentials?.tokenUrl : undefined;
  if (url === undefined) {
    throw new A2AError(
      'UNAUTHENTICATED',
      `The card has no token address for ${name}: set tokenUrl with its credentials`,
    );
  }
  if (!URL.canParse(url) || !isTrusted(url)) {
    const advice = 'set tokenUrl with the credentials, or name its origin in allowedOrigins';
    throw new A2AError('UNAUTHENTICATED', `The card sends secrets of ${name} to another origin, ${url}: ${advice}`);
  }
  return url;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
