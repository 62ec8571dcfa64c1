import { createHash } from 'node:crypto';
import { type CardJson, cardPayload, signCard, verifyCard } from 'parley-a2a/cards';
import { describe, expect, it } from 'vitest';
import { canonicalJson, escapedToAscii } from '../../src/cards/payload/canonical-json.ts';
import { VECTOR_CARD, VECTOR_KEY, VECTOR_PAYLOAD, VECTOR_SIGNATURE } from './support/vector.ts';

describe('the payload of a signature', () => {
  it('is that of the test vector, byte for byte [rule:card.sign-vector] [rule:card.sign-payload]', async () => {
    const payload = cardPayload(VECTOR_CARD);
    expect(payload).toBe(VECTOR_PAYLOAD);
    expect(createHash('sha256').update(payload).digest('hex')).toBe(
      '27e57d74edde1e6462a1c9c930a964edb606a16cda4b9524355ecc4e7c4b868e',
    );
    const { signatures } = await signCard(VECTOR_CARD, { key: VECTOR_KEY, kid: 'key-1' });
    expect((signatures as unknown[])[0]).toEqual(VECTOR_SIGNATURE);
    const verified = await verifyCard({ ...VECTOR_CARD, signatures: [VECTOR_SIGNATURE] }, { keys: VECTOR_KEY });
    expect(verified).toMatchObject({ kid: 'key-1', alg: 'EdDSA', form: 'standard', card: JSON.parse(VECTOR_PAYLOAD) });
  });

  it("is that of the specification's own example [rule:card.sign-payload]", () => {
    const card = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    };
    expect(cardPayload(card)).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
  });

  it('keeps required members and those with presence, drops other defaults, and leaves params alone', () => {
    const card = {
      iconUrl: '',
      documentationUrl: null,
      provider: { url: '', organization: '' },
      capabilities: {
        extensions: [
          { uri: 'urn:x', description: '', required: false, params: { none: null, list: [], text: '', no: false } },
        ],
      },
      securitySchemes: {
        oauth: {
          oauth2SecurityScheme: {
            flows: { clientCredentials: { tokenUrl: '', scopes: {}, refreshUrl: '' } },
            description: '',
          },
        },
        code: {
          oauth2SecurityScheme: {
            flows: {
              authorizationCode: {
                authorizationUrl: 'https://a',
                tokenUrl: 'https://b',
                scopes: {},
                pkceRequired: false,
              },
            },
          },
        },
        old: { oauth2SecurityScheme: { flows: { implicit: { authorizationUrl: '', scopes: {} } } } },
      },
      securityRequirements: [{ schemes: { oauth: { list: [] } } }, { schemes: {} }],
      skills: [{ id: '', name: '', description: '', tags: [], examples: [], securityRequirements: [] }],
      signatures: [{ protected: 'x', signature: 'y' }],
    };
    expect(JSON.parse(cardPayload(card))).toEqual({
      iconUrl: '',
      provider: { url: '', organization: '' },
      capabilities: {
        extensions: [{ uri: 'urn:x', params: { none: null, list: [], text: '', no: false } }],
      },
      securitySchemes: {
        oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: '', scopes: {} } } } },
        code: {
          oauth2SecurityScheme: {
            flows: { authorizationCode: { authorizationUrl: 'https://a', tokenUrl: 'https://b', scopes: {} } },
          },
        },
        old: { oauth2SecurityScheme: { flows: { implicit: {} } } },
      },
      securityRequirements: [{ schemes: { oauth: {} } }, {}],
      skills: [{ id: '', name: '', description: '', tags: [] }],
    });
  });

  it('covers a member called __proto__, wherever it is', () => {
    const card = JSON.parse(
      '{"name":"a","securitySchemes":{"__proto__":{"mtlsSecurityScheme":{}}},"__proto__":{"x":1}}',
    ) as CardJson;
    expect(cardPayload(card)).toBe(
      '{"__proto__":{"x":1},"name":"a","securitySchemes":{"__proto__":{"mtlsSecurityScheme":{}}}}',
    );
  });
});

describe('canonical JSON (RFC 8785)', () => {
  it.each([
    [
      { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    [[1e21, 0.5, -0, 333333333.3333333, 1e-7], '[1e+21,0.5,0,333333333.3333333,1e-7]'],
    ['\u000f\n"\\/é', '"\\u000f\\n\\"\\\\/é"'],
    [[null, true, [], {}], '[null,true,[],{}]'],
  ])('writes %j', (value, text) => expect(canonicalJson(value)).toBe(text));

  it('refuses what has no such form', () => {
    expect(() => canonicalJson({ text: '\ud800' })).toThrow('half of a surrogate pair');
    expect(() => canonicalJson({ '\udc00': 1 })).toThrow('half of a surrogate pair');
    expect(() => canonicalJson([Number.POSITIVE_INFINITY])).toThrow('not finite');
    const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(() => canonicalJson(deep)).toThrow('deeper than 100 levels');
  });

  it('is escaped as Python does it', () => {
    expect(escapedToAscii('{"é":"😀\u007f"}')).toBe('{"\\u00e9":"\\ud83d\\ude00\\u007f"}');
  });
});
