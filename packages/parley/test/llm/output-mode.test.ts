import { expect, it } from 'vitest';
import { outputModeSchema } from '../../src/llm/loop/output-mode.ts';
import type { JsonObject } from '../../src/model/basics/json.ts';

const named = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });

it.each<[string, JsonObject]>([
  ['definitions of which an object takes all', { ...named('x'), $defs: { both: { allOf: [named('a'), named('b')] } } }],
  ['members beside alternatives', { ...named('kind'), oneOf: [named('n'), named('m')] }],
  ['members beside a reference', { type: 'object', properties: { x: { ...named('a'), $ref: '#/$defs/b' } } }],
])('leaves a schema open whose parts would forbid the members of each other: %s', (_, schema) => {
  expect(outputModeSchema(schema)).toEqual(schema);
});

it('closes alternatives that stand alone', () => {
  const schema = { type: 'object', properties: { pet: { anyOf: [named('cat'), named('dog')] } } };
  const closed = (name: string) => ({ ...named(name), additionalProperties: false });
  expect(outputModeSchema(schema)).toEqual({
    type: 'object',
    properties: { pet: { anyOf: [closed('cat'), closed('dog')] } },
    additionalProperties: false,
  });
});
