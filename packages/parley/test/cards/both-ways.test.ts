import { AgentCard, generateAgentCardSignature } from '@a2a-js/sdk';
import fc from 'fast-check';
import { type CardJson, type Jwk, signCard, verifyCard } from 'parley-a2a/cards';
import { expect, it } from 'vitest';
import { newKey, verifyOfficially } from './support/signed.ts';

const text = fc.constantFrom('', 'a', 'É 😀', 'line\nbreak "quoted" \\ \u007f \u2028', '__proto__', '0');
/** The official SDK loses a member of a map that is called __proto__. */
const name = text.filter((word) => word !== '__proto__');
const texts = fc.array(text, { maxLength: 2 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const requirements = fc.array(
  fc.record({ schemes: fc.dictionary(name, fc.record({ list: maybe(texts) }), { maxKeys: 2 }) }),
  { maxLength: 2 },
);
const scheme = fc.oneof(
  fc.record({ mtlsSecurityScheme: fc.record({ description: maybe(text) }) }),
  fc.record({ apiKeySecurityScheme: fc.record({ location: text, name: text, description: maybe(text) }) }),
  fc.record({
    oauth2SecurityScheme: fc.record({
      flows: fc.record({
        clientCredentials: fc.record({ tokenUrl: text, scopes: fc.dictionary(name, text, { maxKeys: 2 }) }),
      }),
    }),
  }),
);

/** Cards of 1.0 with anything empty in them, as they are published: JSON without undefined. */
const cards = fc
  .record({
    name: text,
    description: text,
    version: text,
    supportedInterfaces: fc.array(
      fc.record({ url: text, protocolBinding: text, protocolVersion: text, tenant: maybe(text) }),
      { maxLength: 2 },
    ),
    capabilities: fc.record({
      streaming: maybe(fc.boolean()),
      extensions: maybe(
        fc.array(
          fc.record({
            uri: text,
            required: maybe(fc.boolean()),
            params: maybe(fc.dictionary(fc.constantFrom('a', 'é', ''), json, { maxKeys: 2 })),
          }),
          { maxLength: 2 },
        ),
      ),
    }),
    defaultInputModes: texts,
    defaultOutputModes: texts,
    skills: fc.array(
      fc.record({
        id: text,
        name: text,
        description: text,
        tags: texts,
        examples: maybe(texts),
        securityRequirements: maybe(requirements),
      }),
      { maxLength: 2 },
    ),
    provider: maybe(fc.record({ url: text, organization: text })),
    iconUrl: maybe(text),
    securitySchemes: maybe(fc.dictionary(fc.constantFrom('a', 'b'), scheme, { maxKeys: 2 })),
    securityRequirements: maybe(requirements),
  })
  .map((card) => JSON.parse(JSON.stringify(card)) as CardJson);

it('every card that is signed here verifies here and with the official SDK [rule:card.sign-payload]', async () => {
  const key: Jwk = { ...(await newKey()), kid: 'a' };
  const { d: _secret, key_ops: _operations, ...shown } = key;
  await fc.assert(
    fc.asyncProperty(cards, async (card) => {
      const signed = await signCard(card, { key });
      expect(await verifyCard(signed, { keys: key })).toMatchObject({ form: 'standard' });
      await verifyOfficially(signed, [shown]);
    }),
    { numRuns: 100 },
  );
});

it('every card that the official SDK signs verifies here [rule:card.verify-foreign]', async () => {
  const key: Jwk = { ...(await newKey()), kid: 'a' };
  const sign = generateAgentCardSignature(key as never, { alg: 'ES256', kid: 'a', typ: 'JOSE' });
  await fc.assert(
    fc.asyncProperty(cards, fc.boolean(), async (card, isParsed) => {
      const given = isParsed ? AgentCard.fromJSON(card) : (card as unknown as AgentCard);
      const { signatures } = await sign(given);
      expect(await verifyCard({ ...card, signatures }, { keys: key })).toMatchObject({ kid: 'a' });
    }),
    { numRuns: 100 },
  );
});
