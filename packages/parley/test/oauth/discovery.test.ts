import { oauth } from 'parley-a2a/oauth';
import type { CredentialRequest } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { bearerChallenge } from '../../src/client/auth/oauth/challenge.ts';
import { AGENT, LOGIN, metadata, repliesOf, requestFor, scriptedFetch } from './support/scripted.ts';

const CLIENT = { clientId: 'machine', clientSecret: 'hush', issuer: LOGIN };
const RESOURCE = `${AGENT}/.well-known/oauth-protected-resource`;

describe('the authorization server is found', () => {
  it('by the metadata of the agent’s server, in the well-known place', async () => {
    const { fetch, urls, sent } = scriptedFetch(repliesOf());
    expect(await oauth({ ...CLIENT, fetch })(requestFor({ scopes: ['read'] }))).toBe('token-1');
    expect(urls()).toEqual([`${RESOURCE}/a2a`, `${LOGIN}/.well-known/oauth-authorization-server`, `${LOGIN}/token`]);
    expect(Object.fromEntries(sent.at(-1)?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
      resource: `${AGENT}/a2a`,
    });
    expect(sent.at(-1)?.headers.get('authorization')).toBe(`Basic ${btoa('machine:hush')}`);
  });

  it('where the challenge leads, among challenges of other schemes', async () => {
    const place = `${AGENT}/metadata`;
    const { fetch, urls, sent } = scriptedFetch(
      repliesOf({ [place]: { resource: `${AGENT}/`, authorization_servers: [LOGIN] } }),
    );
    const challenge = `Basic realm="a, Bearer b", Bearer realm="x", resource_metadata="${place}", scope="read write"`;
    expect(await oauth({ ...CLIENT, fetch })(requestFor({ challenge }))).toBe('token-1');
    expect(urls()[0]).toBe(place);
    expect(sent.at(-1)?.form.get('resource')).toBe(`${AGENT}/`);
    expect(sent.at(-1)?.form.get('scope')).toBe('read write');
  });

  it('by OpenID discovery, for issuers with a path too', async () => {
    const issuer = `${LOGIN}/realms/one`;
    const { fetch, urls } = scriptedFetch(
      repliesOf({ [`${issuer}/.well-known/openid-configuration`]: { ...metadata(), issuer } }),
    );
    const scheme = { type: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` } as const;
    const url = 'https://other.example/a2a';
    const credentials = oauth({ ...CLIENT, issuer, fetch });
    expect(await credentials(requestFor({ scheme, url }))).toBe('token-1');
    expect(urls().slice(2)).toEqual([
      `${LOGIN}/.well-known/oauth-authorization-server/realms/one`,
      `${LOGIN}/.well-known/openid-configuration/realms/one`,
      `${issuer}/.well-known/openid-configuration`,
      `${LOGIN}/token`,
    ]);
  });

  it.for([
    ['openIdConnectUrl', { type: 'openIdConnect', openIdConnectUrl: `${LOGIN}/.well-known/openid-configuration` }],
    [
      'oauth2MetadataUrl',
      { type: 'oauth2', flows: {}, oauth2MetadataUrl: `${LOGIN}/.well-known/openid-configuration` },
    ],
    [
      'flows',
      {
        type: 'oauth2',
        flows: { deviceCode: { tokenUrl: `${LOGIN}/token`, deviceAuthorizationUrl: `${LOGIN}/device`, scopes: {} } },
      },
    ],
  ] as const)('by the %s of the card, where the agent’s server says nothing', async ([, scheme]) => {
    const { fetch, sent } = scriptedFetch({
      [`${LOGIN}/.well-known/openid-configuration`]: metadata(),
      [`${LOGIN}/device`]: { device_code: 'd', user_code: 'U', verification_uri: `${LOGIN}/go`, interval: 1 },
      [`${LOGIN}/token`]: { access_token: 'token-1' },
    });
    const flow = { name: 'deviceCode' as const, run: async () => ({ access_token: 'by-a-flow-of-ones-own' }) };
    expect(await oauth({ clientId: 'public', flow, fetch })(requestFor({ scheme }))).toBe('by-a-flow-of-ones-own');
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('or the lack of one is told', async () => {
    const { fetch } = scriptedFetch({});
    await expect(oauth({ clientId: 'x', clientSecret: 'y', fetch })(requestFor())).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: `Nobody is known who gives tokens for ${AGENT}: it names none in its metadata or on its card; set issuer`,
    });
  });
});

it('schemes that take no token are left to others', async () => {
  const { fetch, sent } = scriptedFetch(repliesOf());
  const schemes: CredentialRequest['scheme'][] = [
    { type: 'apiKey', in: 'header', name: 'x-key' },
    { type: 'http', scheme: 'Basic' },
    { type: 'mutualTLS' },
  ];
  for (const scheme of schemes) expect(await oauth({ ...CLIENT, fetch })(requestFor({ scheme }))).toBeUndefined();
  expect(sent).toEqual([]);
});

it('options that cannot be meant are refused at once', () => {
  for (const [options, problem] of [
    [{ clientId: '' }, 'clientId'],
    [{ clientId: 'x', clientSecret: '' }, 'clientSecret'],
    [{ clientId: 'x', issuer: 'login' }, 'issuer'],
    [{ clientId: 'x', resource: 'agent' }, 'resource'],
  ] as const) {
    expect(() => oauth(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', message: expect.stringContaining(problem) }),
    );
  }
});

describe('challenges', () => {
  it.for([
    ['Bearer', {}],
    ['', {}],
    ['bearer scope=read', { scopes: ['read'] }],
    [
      'Bearer resource_metadata = "https://a.example/x" , scope="a  b"',
      { resourceMetadata: 'https://a.example/x', scopes: ['a', 'b'] },
    ],
    ['Bearer realm="q\\"uoted, scope=no", scope="yes"', { scopes: ['yes'] }],
    ['DPoP scope="no", Bearer scope="yes", Basic scope="no"', { scopes: ['yes'] }],
    ['Bearer scope="first", scope="second"', { scopes: ['first'] }],
    ['Negotiate abc==, Bearer scope="yes"', { scopes: ['yes'] }],
    [`Bearer ${'\\'.repeat(100_000)}`, {}],
    [`Bearer x="${'\\"'.repeat(100_000)}`, {}],
  ] as const)('%s', ([header, expected]) => {
    expect(bearerChallenge(header)).toEqual({ resourceMetadata: undefined, scopes: undefined, ...expected });
  });
});
