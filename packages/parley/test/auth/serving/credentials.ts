import { apiKeys, basic, hashKey, jwt } from 'parley-a2a/auth';
import { hashPassword } from '../../../src/server/auth/node/scrypt.ts';
import { AUDIENCE, signingKey, tokenOf } from '../support/issuer.ts';

const ISSUER = 'https://login.example.com';
const API_KEY = 'a-key-of-ada-that-is-long-enough';
const SIGNING = await signingKey('one');
const FLOW = { tokenUrl: `${ISSUER}/token`, scopes: { 'admin:use': 'Uses the tools of admins' } };
const FLOWS = { clientCredentials: FLOW, authorizationCode: { ...FLOW, authorizationUrl: `${ISSUER}/authorize` } };
/** Cheap: every request with a wrong password is checked against it. */
const HASH = await hashPassword('correct horse battery', { cost: 16, blockSize: 1, parallelization: 1 });

/** Authenticators of each kind that a header carries: a token with two OAuth flows, an API key, a password. */
export async function everyKind() {
  const entry = { id: 'a', hash: await hashKey(API_KEY), subject: 'ada', scopes: ['admin:use'] };
  return [
    jwt({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [SIGNING.jwk] }, flows: FLOWS, name: 'oauth' }),
    apiKeys({ keys: [entry] }),
    basic({ users: { ada: HASH } }),
  ];
}

export const tokenWith = async (scope: string): Promise<Readonly<Record<string, string>>> => ({
  authorization: `Bearer ${await tokenOf(SIGNING, { iss: ISSUER, sub: 'ada', scope })}`,
});

/** A right credential of each kind, by the name of its scheme. */
export const CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  oauth: await tokenWith('admin:use'),
  apiKey: { 'x-api-key': API_KEY },
  basic: { authorization: `Basic ${Buffer.from('ada:correct horse battery').toString('base64')}` },
};
