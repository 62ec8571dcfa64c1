import {
  type Authenticator,
  apiKeys,
  basic,
  combine,
  custom,
  hashPassword,
  jwt,
  mtls,
  validated,
} from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { newKey } from '../../src/server/auth/keys/key-text.ts';
import { AUDIENCE, signingKey, tokenOf } from './support/issuer.ts';
import { bearer, login, refusalOf, requestWith, testTools } from './support/requests.ts';

const KEY = await newKey('ci');
const SIGNING = await signingKey('k');
const USERS = { ada: await hashPassword('secret', { cost: 1024, blockSize: 8, parallelization: 1 }) };
const FIRST = { issuer: 'https://one.example', audience: AUDIENCE, jwks: { keys: [SIGNING.jwk] } };
const SECOND = { ...FIRST, issuer: 'https://two.example', name: 'second', subjectPrefix: 'two:' };
const keys = () => apiKeys({ keys: [{ id: KEY.id, hash: KEY.hash, subject: 'ci' }] });

describe('several authenticators', () => {
  it('each take their own kind of credential', async () => {
    const all = combine([jwt(FIRST), keys(), basic({ users: USERS }), mtls()]);
    const token = await tokenOf(SIGNING, { iss: FIRST.issuer });
    expect(await all.authenticate(bearer(token))).toMatchObject({ scheme: 'bearer', identity: { subject: 'alice' } });
    expect(await all.authenticate(requestWith({ 'x-api-key': KEY.key }))).toMatchObject({ scheme: 'apiKey' });
    expect(await all.authenticate(login('ada', 'secret'))).toMatchObject({ scheme: 'basic' });
    const peer = { certificate: { subject: { CN: 'x' }, fingerprint256: 'AB' } };
    expect(all.authenticate(requestWith({}, { peer }))).toMatchObject({ scheme: 'mtls' });
    expect(Object.keys(all.schemes)).toEqual(['bearer', 'apiKey', 'basic', 'mtls']);
    expect(all.requirements).toEqual([{ bearer: [] }, { apiKey: [] }, { basic: [] }, { mtls: [] }]);
  });

  it('need no promise for what is known', async () => {
    const all = combine([basic({ users: USERS }), jwt(FIRST)]);
    const request = bearer(await tokenOf(SIGNING, { iss: FIRST.issuer }));
    await all.authenticate(request);
    expect(all.authenticate(request)).not.toBeInstanceOf(Promise);
    expect(all.authenticate(request)).toMatchObject({ identity: { subject: 'alice' } });
  });

  it('leave it to the first that finds a credential of its kind: a right one does not make up for a wrong one', async () => {
    const all = combine([keys(), basic({ users: USERS })]);
    const both = requestWith({ ...login('ada', 'secret').headers, 'x-api-key': 'wrong' });
    expect(await refusalOf(() => all.authenticate(both))).toMatchObject({ code: 'UNAUTHENTICATED' });
    const other = requestWith({ ...login('ada', 'wrong').headers, 'x-api-key': KEY.key });
    expect(await all.authenticate(other)).toMatchObject({ scheme: 'apiKey' });
  });

  it('look at tokens of their own issuer alone', async () => {
    const opaque = validated({ type: 'bearer', validate: (token) => token === 'opaque' });
    const all = combine([jwt(FIRST), jwt(SECOND), { ...opaque, name: 'opaque' }]);
    const subjectOf = async (token: string) => (await all.authenticate(bearer(token))).identity.subject;
    expect(await subjectOf(await tokenOf(SIGNING, { iss: FIRST.issuer }))).toBe('alice');
    expect(await subjectOf(await tokenOf(SIGNING, { iss: SECOND.issuer }))).toBe('two:alice');
    expect(await subjectOf('opaque')).toMatch(/^[0-9a-f]{64}$/);
    expect(await refusalOf(() => all.authenticate(bearer('other')))).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('never let a wrong token of one issuer on to the next', async () => {
    let isAsked = false;
    const credulous = custom(
      () => {
        isAsked = true;
        return { subject: 'anybody' };
      },
      { scheme: { type: 'http', scheme: 'Bearer' } },
    );
    const all = combine([jwt(FIRST), credulous]);
    const expired = await tokenOf(SIGNING, { iss: FIRST.issuer, exp: 1 });
    expect(await refusalOf(() => all.authenticate(bearer(expired)))).toMatchObject({
      message: 'The token has expired',
    });
    expect(isAsked).toBe(false);
  });

  it('are refused where their subjects or names could be mixed up', () => {
    expect(() => combine([jwt(FIRST), jwt({ ...SECOND, subjectPrefix: undefined })])).toThrow(
      'https://one.example and https://two.example may both have a subject of the same name; give one of them a subjectPrefix',
    );
    expect(() => combine([{ ...keys(), name: 'parley:agent' }])).toThrow('The name of an authenticator cannot be');
    expect(() => combine([keys(), keys()])).toThrow('Two authenticators have the name "apiKey"');
    expect(() => combine([jwt(FIRST), jwt({ ...FIRST, name: 'other', audience: 'x' })])).not.toThrow();
  });

  it('are opened and closed together, those that were opened also where one fails', async () => {
    const calls: string[] = [];
    const recording = (name: string, fails = false): Authenticator => ({
      name,
      scheme: { type: 'mutualTLS' },
      authenticate: () => undefined,
      open: () => {
        calls.push(`open ${name}`);
        if (fails) throw new Error('no');
      },
      close: () => void calls.push(`close ${name}`),
    });
    await expect(combine([recording('a'), recording('b', true), recording('c')]).open(testTools())).rejects.toThrow(
      'no',
    );
    expect(calls).toEqual(['open a', 'open b', 'close a', 'close b']);
  });
});

describe('a refusal', () => {
  const all = combine([jwt(FIRST), keys(), basic({ users: USERS }), mtls()]);
  const BARE =
    'Bearer realm="a2a", ApiKey realm="a2a", header="X-API-Key", Basic realm="a2a", charset="UTF-8", ClientCertificate realm="a2a"';

  it('challenges with all that would be taken', async () => {
    expect(await refusalOf(() => all.authenticate(requestWith({})))).toEqual({
      code: 'UNAUTHENTICATED',
      message:
        'Credentials are missing: send a token in the header Authorization (Bearer), ' +
        'or an API key in the header X-API-Key, or a name and a password in the header Authorization (Basic), ' +
        'or a client certificate',
      why: undefined,
    });
    expect(all.challenge()).toBe(BARE);
  });

  it('says which credential was wrong, and where tokens are described', async () => {
    const error = await Promise.resolve(all.authenticate(bearer('x'))).catch((problem: unknown) => problem);
    expect(all.challenge(error)).toBe(BARE.replace('"a2a"', '"a2a", error="invalid_token"'));
    const resourceMetadata = 'https://agent.example.com/.well-known/oauth-protected-resource';
    expect(all.challenge(undefined, { resourceMetadata })).toBe(
      BARE.replace('"a2a"', `"a2a", resource_metadata="${resourceMetadata}"`),
    );
    expect(all.challenge(undefined, { error: 'insufficient_scope', scope: 'a "b"\r\n' })).toContain(
      'Bearer realm="a2a", error="insufficient_scope", scope="a \\"b\\""',
    );
  });
});
