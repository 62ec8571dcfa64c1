import { type ExchangeRequest, type ExchangeResponse, header } from '../../bindings/exchange.ts';
import type { Logger } from '../../engine/ports.ts';
import { A2AError } from '../../model/errors.ts';
import type { Access } from '../http/routes.ts';

/**
 * One check for all callers (S3.2). It says yes or no and not who calls: those that pass are still the anonymous
 * subject, with what the setting `anonymous` allows them.
 */
export interface SimpleAuth {
  /** `bearer`: `Authorization: Bearer …`. `apiKey`: `X-API-Key`. */
  readonly type: 'bearer' | 'apiKey';
  readonly validate: (credentials: string) => boolean | Promise<boolean>;
}

/** Lets in only requests with a valid credential. Cards, the list of agents and health are open to everybody (S1.1). */
export class Guard {
  /** The `WWW-Authenticate` for those who bring no credential. */
  readonly challenge: string;
  readonly #auth: SimpleAuth;
  readonly #log: Logger;

  constructor(auth: SimpleAuth, log: Logger) {
    this.challenge = auth.type === 'bearer' ? 'Bearer realm="a2a"' : 'ApiKey realm="a2a", header="X-API-Key"';
    this.#auth = auth;
    this.#log = log;
  }

  /** Undefined where the request passes at once; rejects with the Refusal of one that may not pass. */
  check(request: ExchangeRequest, access: Access): Promise<void> | undefined {
    // A request from inside the process needs no proof.
    if (request.caller !== undefined || access === 'public') return undefined;
    return this.#validate(credentialOf(request, this.#auth.type));
  }

  async #validate(credential: string | undefined): Promise<void> {
    const { challenge } = this;
    if (credential === undefined) {
      throw new Refusal(new A2AError('UNAUTHENTICATED', 'Credentials are missing'), challenge);
    }
    let isValid: boolean;
    try {
      isValid = (await this.#auth.validate(credential)) === true;
    } catch (error) {
      this.#log.error('The check of a credential failed', { error });
      throw new Refusal(new A2AError('UNAVAILABLE', 'The credentials cannot be checked at the moment'));
    }
    if (isValid) return;
    const error = new A2AError('UNAUTHENTICATED', 'The credentials are not valid');
    throw new Refusal(error, `${challenge}, error="invalid_token"`);
  }
}

/** Ends the way of a request before it is handled. */
export class Refusal extends Error {
  readonly error: A2AError;
  /** The `WWW-Authenticate`, where it is a matter of credentials. */
  readonly challenge: string | undefined;

  constructor(error: A2AError, challenge?: string) {
    super(error.message);
    this.error = error;
    this.challenge = challenge;
  }
}

/** Every 401 says what would be accepted (RFC 9110 §15.5.2). One that says so already is left as it is. */
export function challenged(response: ExchangeResponse, challenge: string): ExchangeResponse {
  if (response.status !== 401 || response.headers['www-authenticate'] !== undefined) return response;
  return { ...response, headers: { ...response.headers, 'www-authenticate': challenge } };
}

function credentialOf({ headers }: ExchangeRequest, type: SimpleAuth['type']): string | undefined {
  if (type === 'apiKey') return header(headers, 'x-api-key') || undefined;
  return /^bearer +(\S+) *$/i.exec(header(headers, 'authorization') ?? '')?.[1];
}
