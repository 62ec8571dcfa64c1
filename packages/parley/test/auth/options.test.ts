import { apiKeys, basic, custom, jwt, mtls } from 'parley-a2a/auth';
import { expect, it } from 'vitest';

type Loose = (...given: unknown[]) => unknown;

const ISSUED = { issuer: 'https://login.example.com', audience: 'agents' };
const SCHEME = { type: 'http', scheme: 'Bearer' };

it.each<[string, Loose, readonly unknown[], string]>([
  ['jwt', jwt as Loose, [], 'jwt: the options must be an object with issuer, audience, jwks, '],
  ['jwt', jwt as Loose, [{ ...ISSUED, audiance: 'x' }], 'jwt: there is no option audiance; did you mean audience?'],
  ['jwt', jwt as Loose, [{ ...ISSUED, tenat: 'org' }], 'jwt: there is no option tenat; did you mean tenant?'],
  ['jwt', jwt as Loose, [{ ...ISSUED, algorithms: 'RS256' }], 'jwt: algorithms must be a list of strings, not "RS256"'],
  ['jwt', jwt as Loose, [{ ...ISSUED, clockSkew: '60' }], 'jwt: clockSkew must be from 0 to 3600 seconds'],
  ['jwt', jwt as Loose, [{ ...ISSUED, secret: 5 }], 'jwt: secret must be a string or bytes, not a number'],
  ['apiKeys', apiKeys as Loose, [{ flie: 'keys.json' }], 'apiKeys: there is no option flie; did you mean file?'],
  ['apiKeys', apiKeys as Loose, [{ file: '' }], 'apiKeys: file must be a string that is not empty, not ""'],
  ['basic', basic as Loose, [], 'basic: the options must be an object with users, name, not undefined'],
  ['basic', basic as Loose, [{ user: {} }], 'basic: there is no option user; did you mean users?'],
  ['basic', basic as Loose, [{}], 'basic: users must be an object, not undefined'],
  ['custom', custom as Loose, [], 'custom: the first argument must be a function, not undefined'],
  ['custom', custom as Loose, [() => undefined, {}], 'custom: scheme must be an object, not undefined'],
  [
    'custom',
    custom as Loose,
    [() => undefined, { scheme: SCHEME, nmae: 'x' }],
    'custom: there is no option nmae; did you ',
  ],
  ['mtls', mtls as Loose, [{ subject: 'x' }], 'mtls: subject must be a function, not "x"'],
])('%s refuses options that it does not have, and wrong values %#', (_name, make, given, problem) => {
  expect(() => make(...given)).toThrow(problem);
});
