import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAgentCard } from '../../src/dialects/calling/calling-dialects.ts';
import { encodeMergedCard } from '../../src/dialects/cards/merged-card.ts';
import { encodeCard as encodeOlder } from '../../src/dialects/v0_3/card.ts';
import { encodeCard as encodeNewer } from '../../src/dialects/v1_0/card.ts';
import type { AgentCard, OAuthFlow, SecurityRequirement, SecurityScheme } from '../../src/model/card.ts';
import { card } from '../dialects/support/arbitraries.ts';
import { violationsOfV1 } from '../dialects/support/closed-schema.ts';

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== '__proto__');
const text = fc.option(name, { nil: undefined });
const flow = (...addresses: readonly (keyof OAuthFlow)[]): fc.Arbitrary<OAuthFlow> =>
  fc.record({
    scopes: fc.dictionary(name, fc.string(), { maxKeys: 2, noNullPrototype: true }),
    ...Object.fromEntries(addresses.map((address) => [address, name])),
    refreshUrl: text,
  });
const scheme: fc.Arbitrary<SecurityScheme> = fc.oneof(
  fc.record({
    type: fc.constant('apiKey' as const),
    in: fc.constantFrom('header' as const, 'query' as const, 'cookie' as const),
    name,
    description: text,
  }),
  fc.record({ type: fc.constant('http' as const), scheme: name, bearerFormat: text, description: text }),
  fc.record({
    type: fc.constant('oauth2' as const),
    flows: fc.oneof(
      fc.record({ clientCredentials: flow('tokenUrl') }),
      fc.record({ authorizationCode: flow('tokenUrl', 'authorizationUrl') }),
      fc.record({ implicit: flow('authorizationUrl') }),
      fc.record({ password: flow('tokenUrl') }),
    ),
    oauth2MetadataUrl: text,
    description: text,
  }),
  fc.record({ type: fc.constant('openIdConnect' as const), openIdConnectUrl: name, description: text }),
  fc.record({ type: fc.constant('mutualTLS' as const), description: text }),
);
const requirement: fc.Arbitrary<SecurityRequirement> = fc.dictionary(name, fc.array(name, { maxLength: 2 }), {
  minKeys: 1,
  maxKeys: 2,
  noNullPrototype: true,
});
const security = fc.option(fc.array(requirement, { minLength: 1, maxLength: 2 }), { nil: undefined });
const secured: fc.Arbitrary<AgentCard> = fc
  .tuple(
    card,
    security,
    security,
    fc.option(fc.dictionary(name, scheme, { minKeys: 1, maxKeys: 3, noNullPrototype: true }), { nil: undefined }),
  )
  .map(([base, ofCard, ofSkill, securitySchemes]) => ({
    ...base,
    interfaces: [
      { url: 'https://a.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' },
      { url: 'https://a.test/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: 'https://a.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    skills: base.skills.map((skill) => ({ ...skill, security: ofSkill })),
    security: ofCard,
    securitySchemes,
  }));

describe('cards with security', () => {
  it('of 1.0 are read as they were written, and keep to the schema', () => {
    fc.assert(
      fc.property(secured, (value) => {
        const wire = overTheWire(encodeNewer(value));
        expect(decodeAgentCard(wire)).toEqual({ card: value, complaints: [] });
        expect(violationsOfV1('AgentCard', wire)).toEqual([]);
      }),
    );
  });

  it('of 0.3 are read as they were written, but for interfaces of 1.0', () => {
    fc.assert(
      fc.property(secured, (value) => {
        const decoded = decodeAgentCard(overTheWire(encodeOlder(value)));
        expect(decoded).toEqual({ card: { ...value, interfaces: value.interfaces.slice(2) }, complaints: [] });
      }),
    );
  });

  it('of both at once are read whole', () => {
    fc.assert(
      fc.property(secured, (value) => {
        expect(decodeAgentCard(overTheWire(encodeMergedCard(value)))).toEqual({ card: value, complaints: [] });
      }),
    );
  });

  it('show the most useful of several flows in 1.0, and all that there are in 0.3', () => {
    const flows = {
      clientCredentials: FLOW,
      deviceCode: { ...FLOW, deviceAuthorizationUrl: 'https://d.test' },
      password: FLOW,
    };
    const value: AgentCard = { ...PLAIN, securitySchemes: { oauth: { type: 'oauth2', flows } } };
    const newer = decodeAgentCard(overTheWire(encodeNewer(value))).card.securitySchemes?.oauth;
    expect(newer).toMatchObject({ flows: { clientCredentials: FLOW } });
    expect(Object.keys(newer && 'flows' in newer ? newer.flows : {})).toEqual(['clientCredentials']);
    const older = decodeAgentCard(overTheWire(encodeOlder(value))).card.securitySchemes?.oauth;
    expect(Object.keys(older && 'flows' in older ? older.flows : {})).toEqual(['clientCredentials', 'password']);
    const merged = overTheWire(encodeMergedCard(value)) as { securitySchemes: { oauth: object } };
    expect(merged.securitySchemes.oauth).toEqual({
      type: 'oauth2',
      flows: { clientCredentials: FLOW },
      oauth2SecurityScheme: { flows: { clientCredentials: FLOW } },
    });
  });

  it('are read as the reference has them', () => {
    const { card: read } = decodeAgentCard({
      ...WIRE,
      securitySchemes: {
        google: { type: 'openIdConnect', openIdConnectUrl: 'https://id.test' },
        mtls: { mtlsSecurityScheme: {} },
      },
      securityRequirements: [
        { schemes: { oauth: { list: ['read'] } } },
        { schemes: { apiKey: { list: [] }, mtls: {} } },
      ],
    });
    expect(read.security).toEqual([{ oauth: ['read'] }, { apiKey: [], mtls: [] }]);
    expect(read.securitySchemes).toEqual({
      google: { type: 'openIdConnect', openIdConnectUrl: 'https://id.test' },
      mtls: { type: 'mutualTLS' },
    });
  });
});

const FLOW: OAuthFlow = { tokenUrl: 'https://t.test', scopes: { read: 'Reads' } };

const WIRE = {
  name: 'Echo',
  description: 'Repeats',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://a.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Says it back', tags: ['demo'] }],
};

const PLAIN: AgentCard = {
  ...decodeAgentCard(WIRE).card,
  interfaces: [{ url: 'https://a.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
};

describe('the interfaces of a card', () => {
  const interfacesOf = (json: unknown) =>
    decodeAgentCard(json).card.interfaces.map(({ url, protocolBinding, protocolVersion }) =>
      [url, protocolBinding, protocolVersion].join(' '),
    );
  const { supportedInterfaces: _, ...older } = { ...WIRE, protocolVersion: '0.3.0', url: 'https://a.test/rpc' };

  it('of 0.3 are its url and the others [rule:version.client-per-interface] [rule:v03.client-select]', () => {
    expect(interfacesOf(older)).toEqual(['https://a.test/rpc JSONRPC 0.3']);
    const additionalInterfaces = [
      { url: 'https://a.test/rest', transport: 'HTTP+JSON' },
      { url: 'https://a.test/rpc', transport: 'GRPC' },
    ];
    expect(interfacesOf({ ...older, preferredTransport: 'GRPC', additionalInterfaces })).toEqual([
      'https://a.test/rpc GRPC 0.3',
      'https://a.test/rest HTTP+JSON 0.3',
    ]);
    expect(interfacesOf({ ...older, protocolVersion: undefined })).toEqual(['https://a.test/rpc JSONRPC 0.3']);
  });

  it('of a merged card are there once, those of 1.0 first', () => {
    const merged = { ...older, ...WIRE, preferredTransport: 'JSONRPC' };
    expect(interfacesOf(merged)).toEqual(['https://a.test/rpc JSONRPC 1.0', 'https://a.test/rpc JSONRPC 0.3']);
    const repeated = [...WIRE.supportedInterfaces, { ...WIRE.supportedInterfaces[0], protocolVersion: '0.3.0' }];
    expect(interfacesOf({ ...merged, supportedInterfaces: repeated })).toHaveLength(2);
  });

  it('do not come from a stray url beside those of 1.0', () => {
    expect(interfacesOf({ ...WIRE, url: 'https://a.test/home' })).toEqual(['https://a.test/rpc JSONRPC 1.0']);
  });
});

describe('what is wrong with a card', () => {
  const complaintsOf = (json: unknown) => decodeAgentCard(json).complaints;

  it('is said in words, and the rest is read', () => {
    const { card: read, complaints } = decodeAgentCard({
      ...WIRE,
      version: 3,
      description: undefined,
      iconUrl: {},
      capabilities: { streaming: 'yes', extensions: [1] },
      defaultInputModes: ['text/plain', 7],
      skills: [{ id: 'a', tags: 'demo' }, 'b'],
      securitySchemes: {
        odd: { type: 'magic' },
        key: { type: 'apiKey', in: 'body', name: 'k' },
        ok: { type: 'mutualTLS' },
      },
      provider: 'me',
    });
    expect(complaints).toEqual([
      'version must be a string',
      'defaultInputModes[1] must be a string',
      'skills[0].tags must be an array',
      'skills[1] must be an object',
      'provider must be an object',
      'iconUrl must be a string',
      'securitySchemes.odd.type must be one of apiKey, http, oauth2, openIdConnect, mutualTLS',
      'securitySchemes.key.in must be one of header, query, cookie',
      'capabilities.streaming must be true or false',
      'capabilities.extensions[0] must be an object',
      'description is missing',
    ]);
    expect(read).toMatchObject({ name: 'Echo', defaultInputModes: ['text/plain'], skills: [{ id: 'a', tags: [] }] });
    expect(read.securitySchemes).toEqual({ ok: { type: 'mutualTLS' } });
  });

  it.each([
    [{ ...WIRE, supportedInterfaces: [] }, 'the card names no interface: neither supportedInterfaces nor url'],
    [
      { ...WIRE, supportedInterfaces: [{ url: '/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] },
      'the address of JSONRPC 1.0 is not an absolute http(s) URL: /rpc',
    ],
    [
      { ...WIRE, supportedInterfaces: [{ url: 'https://a.test' }, ...WIRE.supportedInterfaces] },
      'supportedInterfaces[0].protocolBinding is required',
    ],
    [
      { ...WIRE, supportedInterfaces: undefined, url: 'https://a.test', protocolVersion: '1.0' },
      'protocolVersion 1.0 needs supportedInterfaces; without them the card is taken for one of 0.3',
    ],
    [[WIRE, WIRE], 'the address has a list of 2 cards, of which the first is taken'],
  ])('case %#: %s', (json, complaint) => {
    expect(complaintsOf(json)).toContain(complaint);
  });

  it('is nothing where nothing is', () => {
    expect(complaintsOf(WIRE)).toEqual([]);
  });

  it('takes the first of a list of cards, as hosts of several agents have it (S3.10)', () => {
    expect(decodeAgentCard([{ ...WIRE, name: 'First' }, WIRE]).card.name).toBe('First');
  });

  it.each([undefined, null, 1, 'card', [], {}, { hello: 'world' }, [[]]])('is everything with %j', (json) => {
    expect(() => decodeAgentCard(json)).toThrow(/not an agent card/);
    expect(() => decodeAgentCard(json)).toThrow(expect.objectContaining({ code: 'INVALID_RESPONSE' }));
  });

  it('never keeps a card from being read or refused', () => {
    const members = Object.fromEntries(
      Object.keys({ ...WIRE, url: 1, security: 1, securitySchemes: 1 }).map((key) => [key, fc.jsonValue()]),
    );
    fc.assert(
      fc.property(fc.record(members, { requiredKeys: [] }), (json) => {
        try {
          const { card: read } = decodeAgentCard(json);
          expect(encodeNewer(read)).toBeTypeOf('object');
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_RESPONSE' });
        }
      }),
    );
  });
});
