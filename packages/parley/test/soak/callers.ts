import { createHmac } from 'node:crypto';
import { type Authenticator, apiKeys, hashKey, jwt } from 'parley-a2a/auth';

/** Somebody who calls, and what every request of theirs brings. */
export interface SoakCaller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ISSUER = 'https://login.soak.example/';
const AUDIENCE = 'https://soak.example/';
const SECRET = 'a secret of the soak that is long enough for HS256';
/** Longer than any run. */
const TOKEN_LIFETIME_S = 7 * 86_400;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(subject: string): string {
  const exp = Math.floor(Date.now() / 1_000) + TOKEN_LIFETIME_S;
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: ISSUER, aud: AUDIENCE, sub: subject, exp })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

const keyOf = (name: string) => `soak-key-of-${name}-0123456789abcdef0123456789abcdef`;
const KEY_HOLDERS = ['cleo', 'dan'] as const;

/** Two that bring tokens, and two that bring API keys. */
export const CALLERS: readonly SoakCaller[] = [
  ...['ada', 'bob'].map((name) => ({ name, headers: { authorization: `Bearer ${tokenOf(name)}` } })),
  ...KEY_HOLDERS.map((name) => ({ name, headers: { 'x-api-key': keyOf(name) } })),
];

export async function authenticators(): Promise<readonly Authenticator[]> {
  const keys = await Promise.all(
    KEY_HOLDERS.map(async (name) => ({ id: name, subject: name, hash: await hashKey(keyOf(name)) })),
  );
  return [jwt({ issuer: ISSUER, audience: AUDIENCE, secret: SECRET }), apiKeys({ keys })];
}
