import crypto from 'node:crypto';
import { type BasicOptions, basic, hashPassword } from 'parley-a2a/auth';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { login, refusalOf, requestWith, testTools } from './support/requests.ts';

/** Little work, so that the tests are quick. */
const CHEAP = { cost: 1024, blockSize: 8, parallelization: 1 };
const USERS = {
  ada: await hashPassword('correct horse', CHEAP),
  grace: await hashPassword('with: colons: and ümlauts', { ...CHEAP, cost: 2048 }),
};
const GENERIC = { code: 'UNAUTHENTICATED', message: 'The credentials are not valid' };

function countScrypt() {
  const spy = vi.spyOn(crypto, 'scrypt');
  onTestFinished(() => spy.mockRestore());
  return spy;
}

describe('basic()', () => {
  it('tells who has given the right password', async () => {
    const guard = basic({ users: USERS });
    expect(await guard.authenticate(login('ada', 'correct horse'))).toMatchObject({ subject: 'ada' });
    expect(await guard.authenticate(login('grace', 'with: colons: and ümlauts'))).toMatchObject({ subject: 'grace' });
    expect(guard.scheme).toEqual({ type: 'http', scheme: 'Basic' });
  });

  it('tells the tenant and the scopes of who has given the right password, and nobody else', async () => {
    const guard = basic({
      users: { ada: { hash: USERS.ada, tenant: 'acme', scopes: ['reports'] }, grace: { hash: USERS.grace } },
    });
    const ada = { subject: 'ada', tenant: 'acme', scopes: ['reports'], claims: {} };
    expect(await guard.authenticate(login('ada', 'correct horse'))).toEqual(ada);
    // From memory, the second time.
    expect(await guard.authenticate(login('ada', 'correct horse'))).toEqual(ada);
    const grace = await guard.authenticate(login('grace', 'with: colons: and ümlauts'));
    expect(grace).toEqual({ subject: 'grace', scopes: [], claims: {} });
    expect(await refusalOf(() => guard.authenticate(login('ada', 'wrong')))).toMatchObject(GENERIC);
  });

  it('takes a text in whatever way its characters are composed', async () => {
    const guard = basic({ users: { ada: await hashPassword('ü', CHEAP) } });
    expect(await guard.authenticate(login('ada', 'u\u0308'))).toMatchObject({ subject: 'ada' });
  });

  it.each([
    ['ada', 'wrong'],
    ['ada', ''],
    ['nobody', 'correct horse'],
    ['', ''],
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['grace', 'correct horse'],
  ])('refuses %s with %j', async (user, password) => {
    const guard = basic({ users: USERS });
    expect(await refusalOf(() => guard.authenticate(login(user, password)))).toMatchObject(GENERIC);
  });

  it.each([
    '*',
    'YWRh',
    Buffer.from([0xff, 0x3a]).toString('base64'),
    'a b',
    'A'.repeat(9000),
  ])('refuses what is no name and password without hashing anything: %s', async (text) => {
    const scrypt = countScrypt();
    const guard = basic({ users: USERS });
    const request = requestWith({ authorization: `Basic ${text}` });
    expect(await refusalOf(() => guard.authenticate(request))).toMatchObject(GENERIC);
    expect(scrypt).not.toHaveBeenCalled();
  });

  it('is not concerned where there is no password', () => {
    const guard = basic({ users: USERS });
    expect(guard.authenticate(requestWith({}))).toBeUndefined();
    expect(guard.authenticate(requestWith({ authorization: 'Bearer x' }))).toBeUndefined();
  });

  it('works as hard for a name that nobody has as for the costliest one', async () => {
    const scrypt = countScrypt();
    const guard = basic({ users: USERS });
    await refusalOf(() => guard.authenticate(login('nobody', 'x')));
    await refusalOf(() => guard.authenticate(login('grace', 'x')));
    expect(scrypt).toHaveBeenCalledTimes(2);
    const [unknown, known] = scrypt.mock.calls.map(([, , length, options]) => ({ length, options }));
    expect(unknown).toEqual(known);
  });

  it('hashes a right password once, and knows it at once from then on', async () => {
    const scrypt = countScrypt();
    const tools = testTools();
    const guard = basic({ users: USERS });
    await guard.open?.(tools);
    const request = login('ada', 'correct horse');
    await Promise.all([guard.authenticate(request), guard.authenticate(request), guard.authenticate(request)]);
    expect(scrypt).toHaveBeenCalledTimes(1);
    expect(guard.authenticate(request)).toMatchObject({ subject: 'ada' });
    tools.time += 11 * 60_000;
    expect(guard.authenticate(request)).toBeInstanceOf(Promise);
    await guard.authenticate(request);
    expect(scrypt).toHaveBeenCalledTimes(2);
  });

  it('remembers no wrong password, and none for another user', async () => {
    const scrypt = countScrypt();
    const guard = basic({ users: USERS });
    await guard.authenticate(login('ada', 'correct horse'));
    for (const request of [login('ada', 'wrong'), login('ada', 'wrong'), login('grace', 'correct horse')]) {
      expect(await refusalOf(() => guard.authenticate(request))).toMatchObject(GENERIC);
    }
    expect(scrypt).toHaveBeenCalledTimes(4);
  });

  it('hashes few passwords at a time and lets only some wait', async () => {
    let [running, most] = [0, 0];
    const real = crypto.scrypt;
    const spy = vi.spyOn(crypto, 'scrypt').mockImplementation(((...args: Parameters<typeof real>) => {
      most = Math.max(most, ++running);
      const callback = args.at(-1) as unknown as (error: Error | null, key: Buffer) => void;
      const counted = (error: Error | null, key: Buffer) => {
        running--;
        callback(error, key);
      };
      (real as (...all: unknown[]) => void)(...args.slice(0, -1), counted);
    }) as typeof real);
    onTestFinished(() => spy.mockRestore());
    const guard = basic({ users: USERS });
    const attempts = Array.from({ length: 100 }, (_, index) =>
      refusalOf(() => guard.authenticate(login('ada', `guess ${index}`))),
    );
    const codes = (await Promise.all(attempts)).map(({ code }) => code);
    expect(most).toBe(2);
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(66);
    expect(codes.filter((code) => code === 'UNAVAILABLE')).toHaveLength(34);
    expect(await guard.authenticate(login('ada', 'correct horse'))).toMatchObject({ subject: 'ada' });
  });

  it.each([
    [{}, 'basic: there are no users'],
    [{ ada: 'correct horse' }, 'basic: the hash of "ada" cannot be used. It is not of the form scrypt:N:r:p:salt:hash'],
    [{ ada: 'scrypt:1048576:64:1:AAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAA' }, 'Its cost is not one'],
    [{ ada: 'scrypt:1000:8:1:AAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAA' }, 'Its cost is not one'],
    [{ ada: 'scrypt:1024:8:1:AAAA:AAAA' }, 'Its salt or its hash is too short'],
    [{ 'a:b': USERS.ada }, 'must not have a colon'],
    [{ '': USERS.ada }, 'there is no subject'],
    [{ ada: 7 }, 'basic: the user "ada" must be a hash, or an object with hash, tenant, scopes'],
    [{ ada: {} }, 'basic: the hash of "ada" cannot be used. It is not of the form scrypt'],
    [{ ada: { hash: 'correct horse' } }, 'basic: the hash of "ada" cannot be used'],
    [{ ada: { hash: USERS.ada, tennant: 'acme' } }, 'basic: the user "ada" has "tennant"; it may have hash, tenant'],
    [{ ada: { hash: USERS.ada, tenant: '' } }, 'basic: the user "ada" cannot be used. there is no tenant'],
    [{ ada: { hash: USERS.ada, tenant: 'a\nb' } }, 'the tenant has control characters'],
    [{ ada: { hash: USERS.ada, scopes: 'admin' } }, 'basic: the user "ada" cannot be used. The scopes'],
  ] as const)('checks its users: %j', (users, problem) => {
    expect(() => basic({ users: users as BasicOptions['users'] })).toThrow(problem);
  });

  it('never repeats a password that stands in the place of a hash', () => {
    expect(() => basic({ users: { ada: 'correct horse' } })).not.toThrow('correct horse');
  });
});
