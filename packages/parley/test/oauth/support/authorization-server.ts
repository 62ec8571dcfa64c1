import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { sendJson, signingKey, tokenOf } from '../../auth/support/issuer.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** What a code or a token was given for. */
interface Given {
  readonly clientId: string;
  readonly resource: string;
  readonly scope: string;
  readonly redirectUri?: string | undefined;
  readonly challenge?: string | undefined;
}

interface Device extends Given {
  readonly deviceCode: string;
  isAllowed: boolean | undefined;
}

/** An authorization server that takes nothing which is not as the standards have it. */
export interface TestAuthorizationServer {
  readonly url: string;
  /** The audience of the tokens for each resource; no token is made for any other one. */
  readonly audiences: Map<string, string>;
  /** Secrets of clients; `public` has none. */
  readonly secrets: Map<string, string>;
  /** Takes the place of members of the metadata. */
  readonly metadata: Record<string, unknown>;
  /** Answers a path otherwise. */
  readonly answers: Map<string, Handler>;
  /** Method, path and form of every request. */
  readonly asked: { readonly path: string; readonly form: URLSearchParams; readonly authorization?: string }[];
  /** Seconds that tokens live. */
  lifetime: number;
  /** Answers the next so many polls with `slow_down`. */
  slowDowns: number;
  /** The person allows the code, or does not. */
  decide(userCode: string, isAllowed: boolean): void;
  /** Every refresh token is void. */
  revoke(): void;
}

const GRANT_DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

export async function startAuthorizationServer(): Promise<TestAuthorizationServer> {
  const key = await signingKey('test');
  const codes = new Map<string, Given>();
  const devices = new Map<string, Device>();
  const refreshable = new Map<string, Given>();

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void handle(request, response, new URLSearchParams(Buffer.concat(chunks).toString())).catch((error: unknown) => {
        if (error instanceof Refusal) sendError(response, error);
        else response.writeHead(500).end(String(error));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const issuer: TestAuthorizationServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    audiences: new Map(),
    secrets: new Map([['machine', 'hush:hush']]),
    metadata: {},
    answers: new Map(),
    asked: [],
    lifetime: 3600,
    slowDowns: 0,
    decide(userCode, isAllowed) {
      const device = devices.get(userCode);
      if (!device) throw new Error(`There is no code ${userCode}`);
      device.isAllowed = isAllowed;
    },
    revoke: () => refreshable.clear(),
  };
  const { url } = issuer;

  async function handle(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const { authorization } = request.headers;
    issuer.asked.push({
      path: pathname,
      form: pathname === '/authorize' ? searchParams : form,
      ...(authorization && { authorization }),
    });
    const answer = issuer.answers.get(pathname);
    if (answer) return answer(request, response);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/oauth-authorization-server':
      case 'GET /.well-known/openid-configuration':
        return sendJson(response, metadataOf());
      case 'GET /jwks':
        return sendJson(response, { keys: [key.jwk] });
      case 'GET /authorize':
        return authorize(searchParams, response);
      case 'POST /device':
        return begin(clientOf(request, form), form, response);
      case 'POST /token':
        return sendJson(response, await grant(clientOf(request, form), form));
      default:
        response.writeHead(404).end();
    }
  }

  function metadataOf() {
    return {
      issuer: url,
      jwks_uri: `${url}/jwks`,
      token_endpoint: `${url}/token`,
      authorization_endpoint: `${url}/authorize`,
      device_authorization_endpoint: `${url}/device`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ['offline_access'],
      ...issuer.metadata,
    };
  }

  /** A person who allows everything at once. */
  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    const redirectUri = one(asked, 'redirect_uri');
    if (!/^http:\/\/127\.0\.0\.1:\d+(?:\/console)?\/callback$/.test(redirectUri))
      throw new Refusal('invalid_request', 'redirect_uri');
    if (one(asked, 'response_type') !== 'code') throw new Refusal('unsupported_response_type');
    if (one(asked, 'code_challenge_method') !== 'S256') throw new Refusal('invalid_request', 'code_challenge_method');
    const code = randomUUID();
    const challenge = one(asked, 'code_challenge');
    codes.set(code, { ...purposeOf(one(asked, 'client_id'), asked), redirectUri, challenge });
    const back = new URL(redirectUri);
    back.search = new URLSearchParams({ code, state: one(asked, 'state'), iss: url }).toString();
    response.writeHead(302, { location: back.href }).end();
  }

  function begin(clientId: string, form: URLSearchParams, response: ServerResponse): void {
    const userCode = `CODE-${devices.size + 1}`;
    const deviceCode = randomUUID();
    devices.set(userCode, { ...purposeOf(clientId, form), deviceCode, isAllowed: undefined });
    const page = `${url}/activate`;
    sendJson(response, {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: 600,
      interval: 1,
    });
  }

  async function grant(clientId: string, form: URLSearchParams): Promise<object> {
    switch (one(form, 'grant_type')) {
      case 'client_credentials':
        if (!issuer.secrets.has(clientId)) throw new Refusal('unauthorized_client');
        return tokensFor(purposeOf(clientId, form), false);
      case 'authorization_code':
        return tokensFor(redeemed(clientId, form), true);
      case GRANT_DEVICE:
        return tokensFor(allowed(clientId, form), true);
      case 'refresh_token': {
        const token = one(form, 'refresh_token');
        const given = refreshable.get(token);
        if (given?.clientId !== clientId) throw new Refusal('invalid_grant');
        if (one(form, 'resource') !== given.resource) throw new Refusal('invalid_target');
        // Each one works once.
        refreshable.delete(token);
        return tokensFor(given, true);
      }
      default:
        throw new Refusal('unsupported_grant_type');
    }
  }

  function redeemed(clientId: string, form: URLSearchParams): Given {
    const code = one(form, 'code');
    const given = codes.get(code);
    codes.delete(code);
    const proof = createHash('sha256').update(one(form, 'code_verifier')).digest('base64url');
    const isRight = given?.clientId === clientId && given.redirectUri === one(form, 'redirect_uri');
    if (!isRight || given.challenge !== proof) throw new Refusal('invalid_grant');
    if (one(form, 'resource') !== given.resource) throw new Refusal('invalid_target');
    return given;
  }

  function allowed(clientId: string, form: URLSearchParams): Given {
    const device = [...devices.values()].find(({ deviceCode }) => deviceCode === one(form, 'device_code'));
    if (device?.clientId !== clientId) throw new Refusal('invalid_grant');
    if (issuer.slowDowns > 0) {
      issuer.slowDowns -= 1;
      throw new Refusal('slow_down');
    }
    if (device.isAllowed === undefined) throw new Refusal('authorization_pending');
    if (!device.isAllowed) throw new Refusal('access_denied', 'Not today');
    return device;
  }

  async function tokensFor(given: Given, isRefreshable: boolean): Promise<object> {
    const aud = issuer.audiences.get(given.resource);
    const claims = { iss: url, aud, sub: `user-of-${given.clientId}`, scope: given.scope, jti: randomUUID() };
    const accessToken = await tokenOf(key, claims);
    const refreshToken = randomUUID();
    if (isRefreshable) refreshable.set(refreshToken, given);
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: issuer.lifetime,
      ...(isRefreshable && { refresh_token: refreshToken }),
    };
  }

  function purposeOf(clientId: string, form: URLSearchParams): Given {
    const resource = one(form, 'resource');
    if (!issuer.audiences.has(resource)) throw new Refusal('invalid_target', resource);
    return { clientId, resource, scope: form.get('scope') ?? '' };
  }

  function clientOf({ headers }: IncomingMessage, form: URLSearchParams): string {
    const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (encoded === undefined) {
      const clientId = one(form, 'client_id');
      if (issuer.secrets.has(clientId)) throw new Refusal('invalid_client');
      return clientId;
    }
    const [clientId = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent);
    if (issuer.secrets.get(clientId) !== secret) throw new Refusal('invalid_client');
    return clientId;
  }

  return issuer;
}

class Refusal extends Error {
  readonly description: string;

  constructor(code: string, description = '') {
    super(code);
    this.description = description;
  }
}

function sendError(response: ServerResponse, { message, description }: Refusal): void {
  const body = { error: message, ...(description !== '' && { error_description: description }) };
  const status = message === 'invalid_client' ? 401 : 400;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A parameter that must be there, once. */
function one(form: URLSearchParams, name: string): string {
  const [value, ...others] = form.getAll(name);
  if (value === undefined || value === '' || others.length > 0) throw new Refusal('invalid_request', name);
  return value;
}
