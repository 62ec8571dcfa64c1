import fc from 'fast-check';
import { A2AClient } from 'parley-a2a';
import { cardPayload } from 'parley-a2a/cards';
import { skillSchemasOf } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonValue } from '../../src/model/basics/json.ts';
import { publishedSchema } from '../../src/model/schema/published-schema.ts';
import { agentOf } from '../support/script.ts';
import { cardOfServer, signingServer, verifyOfficially } from './support/signed.ts';

describe('a published schema', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['takes anything as true', {}, true],
    [
      'has true where an inner one takes anything',
      { properties: { a: {} }, items: {} },
      { properties: { a: true }, items: true },
    ],
    [
      'leaves out empty members',
      { type: 'object', properties: {}, required: [], title: '', $defs: {} },
      { type: 'object' },
    ],
    ['keeps false', { additionalProperties: false, items: false }, { additionalProperties: false, items: false }],
    [
      'keeps a property called default',
      { properties: { default: { type: 'null' } } },
      { properties: { default: { type: 'null' } } },
    ],
    ['says an empty text by its length', { const: '' }, { allOf: [{ type: 'string', maxLength: 0 }] }],
    ['says null by its type', { const: null, allOf: [{}] }, { allOf: [true, { type: 'null' }] }],
    [
      'parts an enum',
      { type: ['string', 'null'], enum: ['', 'a', null] },
      {
        type: ['string', 'null'],
        allOf: [{ anyOf: [{ enum: ['a'] }, { type: 'string', maxLength: 0 }, { type: 'null' }] }],
      },
    ],
    [
      'says a constant with something empty by its members',
      { const: { a: '', b: [1, []] } },
      {
        allOf: [
          {
            type: 'object',
            properties: {
              a: { type: 'string', maxLength: 0 },
              b: {
                type: 'array',
                prefixItems: [{ const: 1 }, { type: 'array', maxItems: 0 }],
                minItems: 2,
                maxItems: 2,
              },
            },
            minProperties: 2,
            additionalProperties: false,
          },
        ],
      },
    ],
    ['takes nothing where the enum has nothing', { enum: [] }, { allOf: [false] }],
    [
      'has no default and no example with something empty',
      { default: [], examples: ['', 'x'], minLength: 0 },
      { examples: ['x'], minLength: 0 },
    ],
    ['keeps other constants', { enum: [0, false, 'a'], default: 0 }, { enum: [0, false, 'a'], default: 0 }],
    ['cleans what it does not know', { 'x-ui': { hint: '', order: [1, null] } }, { 'x-ui': { order: [1] } }],
    [
      'keeps choices in their places',
      { anyOf: [{}, { type: 'null' }], prefixItems: [] },
      { anyOf: [true, { type: 'null' }] },
    ],
  ])('%s', (_, schema, published) => expect(publishedSchema(schema)).toEqual(published));

  it('has nothing empty in it, whatever it was', () => {
    const names = [
      'const',
      'enum',
      'default',
      'items',
      'properties',
      'anyOf',
      'required',
      'x',
      '',
      '__proto__',
      '$defs',
      'not',
    ];
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<JsonValue>('', null, [], {}, 0, false, true, 'a', 1),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 }), (schema) => {
        const params = { schema: publishedSchema(schema as JsonValue) };
        const card = { name: 'a', capabilities: { extensions: [{ uri: 'urn:x', params }] } };
        expect(cardPayload(card, 'compact')).toBe(cardPayload(card));
      }),
    );
  });

  it('of typed skills and odd ones is on cards that the official SDK verifies (S2.1)', async () => {
    const agent = agentOf(() => 'done', {
      skills: [
        {
          id: 'odd',
          name: 'Odd',
          description: 'Odd schemas',
          tags: ['odd'],
          input: z.object({
            any: z.unknown(),
            none: z.null(),
            text: z.literal(''),
            choice: z.enum(['', 'a']).default(''),
            list: z.array(z.any()).default([]),
            more: z.record(z.string(), z.any()).optional(),
          }),
          output: z.any(),
        },
      ],
    });
    const { peer, keys, send } = await signingServer({}, agent);
    const card = await cardOfServer(peer);
    expect(card.signatures).toHaveLength(1);
    await verifyOfficially(card, keys);
    const client = await A2AClient.connect('http://localhost', { fetch: send, trust: { keys } });
    const schemas = skillSchemasOf(await client.agentCard()).get('odd');
    expect(schemas?.output).toEqual(expect.any(Object));
    expect(schemas?.input).toMatchObject({ properties: { any: true, none: { type: 'null' } } });
  });
});
