import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export async function signingKey(kid: string, algorithm = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
  return { kid, algorithm, privateKey, jwk };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An authorization server on this machine, which counts what is asked of it. */
export interface TestIssuer {
  readonly url: string;
  /** What it publishes. */
  keys: readonly Readonly<Record<string, unknown>>[];
  isDown: boolean;
  /** Answers a path otherwise. */
  readonly answers: Map<string, Handler>;
  /** The paths that were asked for. */
  readonly asked: string[];
}

export async function startIssuer(keys: readonly SigningKey[] = []): Promise<TestIssuer> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    issuer.asked.push(path);
    const answer = issuer.answers.get(path);
    if (issuer.isDown) response.writeHead(503).end();
    else if (answer) answer(request, response);
    else if (path === '/.well-known/openid-configuration') {
      sendJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` });
    } else if (path === '/jwks') sendJson(response, { keys: issuer.keys });
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: keys.map(({ jwk }) => jwk),
    isDown: false,
    answers: new Map(),
    asked: [],
  };
  return issuer;
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export const AUDIENCE = 'https://agent.example.com';

/** A token that is right unless told otherwise. */
export function tokenOf(
  key: SigningKey,
  claims: JWTPayload,
  { now = Date.now(), header = {} }: { readonly now?: number; readonly header?: Record<string, unknown> } = {},
): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return new SignJWT({ sub: 'alice', aud: AUDIENCE, iat: seconds, exp: seconds + 300, ...claims })
    .setProtectedHeader({ alg: key.algorithm, kid: key.kid, ...header })
    .sign(key.privateKey);
}
