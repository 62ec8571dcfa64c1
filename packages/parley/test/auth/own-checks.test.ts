import { createHash } from 'node:crypto';
import { type ClientCertificate, custom, type IdentifyCaller, mtls, validated } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { bearer, refusalOf, requestWith, testTools } from './support/requests.ts';

const BEARER = { type: 'http', scheme: 'Bearer' } as const;
const UNAVAILABLE = { code: 'UNAVAILABLE', message: 'The credentials cannot be checked at the moment' };
const GENERIC = { code: 'UNAUTHENTICATED', message: 'The credentials are not valid' };

describe('custom()', () => {
  it('hands over the request and the credential of its scheme', async () => {
    const seen: unknown[] = [];
    const identify: IdentifyCaller = async (request) => {
      seen.push(request);
      return { subject: 'ada', scopes: ['x'], claims: { a: 1 } };
    };
    const guard = custom(identify, { scheme: BEARER, name: 'ours' });
    expect(await guard.authenticate(bearer('abc'))).toEqual({ subject: 'ada', scopes: ['x'], claims: { a: 1 } });
    expect(seen).toEqual([{ ...bearer('abc'), token: 'abc' }]);
    expect(guard).toMatchObject({ name: 'ours', scheme: BEARER });
  });

  it('needs no promise, and no credential in the place of its scheme', () => {
    const guard = custom(({ headers }) => ({ subject: String(headers['x-user']) }), { scheme: BEARER });
    expect(guard.authenticate(requestWith({ 'x-user': 'ada' }))).toMatchObject({ subject: 'ada' });
  });

  it('takes undefined for a caller who is not known', async () => {
    const guard = custom(() => undefined, { scheme: BEARER });
    expect(guard.authenticate(requestWith({}))).toBeUndefined();
    expect(await refusalOf(() => guard.authenticate(bearer('x')))).toMatchObject(GENERIC);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the password is hunter2');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the password is hunter2'))],
    ['returns no subject', () => ({ subject: '' })],
    ['returns a subject of two lines', () => ({ subject: 'a\nb' })],
    ['returns a text', () => 'ada'],
    ['returns scopes that are none', async () => ({ subject: 'a', scopes: 'x' })],
  ])('tells the log and not the caller what went wrong where the function %s', async (_, identify) => {
    const tools = testTools();
    const guard = custom(identify as IdentifyCaller, { scheme: BEARER });
    await guard.open?.(tools);
    expect(await refusalOf(() => guard.authenticate(bearer('x')))).toMatchObject(UNAVAILABLE);
    expect(tools.lines).toHaveLength(1);
  });
});

describe("the seed's object (S3.2)", () => {
  it('makes two tokens two callers where validate only says yes', async () => {
    const guard = validated({ type: 'bearer', validate: (token) => token.startsWith('good') });
    const digest = createHash('sha256').update('good one').digest('hex');
    const one = await guard.authenticate(bearer('good one'));
    expect(one?.subject).toBe(digest);
    expect((await guard.authenticate(bearer('good two')))?.subject).not.toBe(digest);
    expect(guard.authenticate(bearer('good one'))).toBe(one);
    expect(await refusalOf(() => guard.authenticate(bearer('bad')))).toMatchObject(GENERIC);
    expect(guard.authenticate(requestWith({}))).toBeUndefined();
  });

  it('asks validate every time, so that a token can be taken back', async () => {
    let isGood = true;
    const guard = validated({ type: 'apiKey', validate: async () => isGood });
    const request = requestWith({ 'x-api-key': 'k' });
    const subject = createHash('sha256').update('k').digest('hex');
    expect(await guard.authenticate(request)).toMatchObject({ subject });
    isGood = false;
    expect(await refusalOf(() => guard.authenticate(request))).toMatchObject(GENERIC);
  });

  it('takes the identity that validate returns', async () => {
    const guard = validated({ type: 'apiKey', validate: () => ({ subject: 'ada', scopes: ['x'] }) });
    expect(guard.authenticate(requestWith({ 'x-api-key': 'k' }))).toMatchObject({ subject: 'ada', scopes: ['x'] });
    expect(guard.scheme).toEqual({ type: 'apiKey', in: 'header', name: 'X-API-Key' });
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['rejects', () => Promise.reject(new Error('x'))],
    ['returns an object without a subject', () => ({})],
  ])('says that it cannot check where validate %s', async (_, validate) => {
    const tools = testTools();
    const guard = validated({ type: 'bearer', validate: validate as () => boolean });
    await guard.open?.(tools);
    expect(await refusalOf(() => guard.authenticate(bearer('x')))).toMatchObject(UNAVAILABLE);
    expect(tools.lines).toHaveLength(1);
  });

  it.each(['yes', 1, null, undefined, false])('does not take %j for yes', async (result) => {
    const guard = validated({ type: 'bearer', validate: (() => result) as unknown as () => boolean });
    expect(await refusalOf(() => guard.authenticate(bearer('x')))).toMatchObject(GENERIC);
  });
});

describe('mtls()', () => {
  function certified(subject: ClientCertificate['subject']) {
    return requestWith({}, { peer: { certificate: { subject, fingerprint256: 'AB:CD', serialNumber: '01' } } });
  }

  it('tells the subject of the certificate', () => {
    expect(mtls().authenticate(certified({ O: 'Acme', CN: 'alice' }))).toMatchObject({ subject: 'O=Acme,CN=alice' });
    expect(mtls().authenticate(certified({ OU: ['a', 'b'], CN: 'x' }))).toMatchObject({ subject: 'OU=a,OU=b,CN=x' });
    expect(mtls().authenticate(requestWith({}))).toBeUndefined();
  });

  it('never takes one name for another', () => {
    const names = [{ CN: 'a', O: 'b' }, { CN: 'a,O=b' }, { CN: 'a\\', O: 'b' }, { CN: ['a', 'b'] }, { CN: 'a+O=b' }];
    const subjects = names.map((name) => mtls().authenticate(certified(name)) as { subject: string });
    expect(new Set(subjects.map(({ subject }) => subject)).size).toBe(names.length);
  });

  it('asks a function of the host', async () => {
    const guard = mtls({ subject: ({ fingerprint256 }) => ({ subject: fingerprint256, scopes: ['x'] }) });
    expect(guard.authenticate(certified({ CN: 'x' }))).toMatchObject({ subject: 'AB:CD', scopes: ['x'] });
    const none = mtls({ subject: () => undefined });
    expect(await refusalOf(() => none.authenticate(certified({ CN: 'x' })))).toMatchObject(GENERIC);
    const nameless = await refusalOf(() => mtls().authenticate(certified({})));
    expect(nameless).toMatchObject(GENERIC);
    const broken = mtls({
      subject: () => {
        throw new Error('x');
      },
    });
    expect(await refusalOf(() => broken.authenticate(certified({ CN: 'x' })))).toMatchObject(UNAVAILABLE);
  });
});
