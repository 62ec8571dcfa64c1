import { type ExchangeRequest, type ExchangeResponse, header } from '../bindings/exchange.ts';
import { ServerCore } from './core.ts';
import { normalPath } from './paths.ts';
import { httpError } from './responses.ts';

/**
 * One check for all callers (S3.2). It says yes or no and not who calls: those that pass are still the anonymous
 * subject, with what the setting `anonymous` allows them.
 */
export interface SimpleAuth {
  /** `bearer`: `Authorization: Bearer …`. `apiKey`: `X-API-Key`. */
  readonly type: 'bearer' | 'apiKey';
  readonly validate: (credentials: string) => boolean | Promise<boolean>;
}

/** Lets in only requests with a credential that is valid. Cards and signs of life are for everybody. */
export class GuardedCore extends ServerCore {
  readonly #auth: SimpleAuth;
  readonly #health: string;

  constructor(auth: SimpleAuth, ...rest: ConstructorParameters<typeof ServerCore>) {
    super(...rest);
    this.#auth = auth;
    this.#health = `${normalPath(rest[0].basePath ?? '/a2a')}/health`;
  }

  override async handle(request: ExchangeRequest): Promise<ExchangeResponse> {
    return (await this.#refusal(request)) ?? super.handle(request);
  }

  async #refusal(request: ExchangeRequest): Promise<ExchangeResponse | undefined> {
    // What comes from inside the process needs no proof.
    if (request.subject !== undefined || this.#isPublic(request)) return undefined;
    const credential = credentialOf(request, this.#auth.type);
    if (credential === undefined) return unauthenticated(this.#auth.type, 'Credentials are missing');
    try {
      if ((await this.#auth.validate(credential)) === true) return undefined;
    } catch (error) {
      this.log.error('The check of a credential failed', { error });
      return httpError('INTERNAL', 'Internal error');
    }
    return unauthenticated(this.#auth.type, 'The credentials are not valid', 'invalid_token');
  }

  /** Cards and health; browsers ask for leave without credentials. */
  #isPublic({ method, url }: ExchangeRequest): boolean {
    if (method === 'OPTIONS') return true;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const [path = ''] = url.split('?', 1);
    return CARD.test(path) || ALWAYS_PUBLIC.has(path) || path === this.#health;
  }
}

const CARD = /\/\.well-known\/agent(?:-card)?(?:\.json)?\/?$/;
const ALWAYS_PUBLIC: ReadonlySet<string> = new Set(['/', '/healthz', '/readyz']);

function credentialOf({ headers }: ExchangeRequest, type: SimpleAuth['type']): string | undefined {
  if (type === 'apiKey') return header(headers, 'x-api-key') || undefined;
  return /^bearer +(\S+) *$/i.exec(header(headers, 'authorization') ?? '')?.[1];
}

function unauthenticated(type: SimpleAuth['type'], problem: string, error?: string): ExchangeResponse {
  const scheme = type === 'bearer' ? 'Bearer realm="a2a"' : 'ApiKey realm="a2a", header="X-API-Key"';
  const response = httpError('UNAUTHENTICATED', problem);
  const challenge = error === undefined ? scheme : `${scheme}, error="${error}"`;
  return { ...response, headers: { ...response.headers, 'www-authenticate': challenge } };
}
