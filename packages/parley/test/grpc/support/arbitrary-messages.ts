import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { jsonValue } from '../../dialects/support/arbitraries.ts';

type Json = Record<string, unknown>;

const TEXT = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ maxLength: 400 }));
const BYTES = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const TIME = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const STRUCT = fc.dictionary(fc.string(), jsonValue, { maxKeys: 4 });

/** The ProtoJSON of a message, made by its descriptor. */
export function arbitraryMessage(message: DescMessage, depth = 3): fc.Arbitrary<Json> {
  const loose = message.fields.filter(({ oneof }) => !oneof);
  const single = fc.record(Object.fromEntries(loose.map((field) => [field.jsonName, arbitraryField(field, depth)])), {
    requiredKeys: [],
  });
  const groups = message.oneofs.map((oneof) =>
    fc.oneof(
      fc.constant({}),
      ...oneof.fields.map((field) => arbitraryField(field, depth).map((value) => ({ [field.jsonName]: value }))),
    ),
  );
  return fc.tuple(single, ...groups).map((members) => Object.assign({}, ...members) as Json);
}

function arbitraryField(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const one = arbitraryOne(field, depth);
  if (field.fieldKind === 'list') return fc.array(one, { maxLength: depth > 0 ? 3 : 0 });
  if (field.fieldKind === 'map') return fc.dictionary(fc.string(), one, { maxKeys: depth > 0 ? 3 : 0 });
  return one;
}

function arbitraryOne(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if ('enum' in field && field.enum) return fc.constantFrom(...field.enum.values.map(({ name }) => name));
  if ('message' in field && field.message) {
    switch (field.message.typeName) {
      case 'google.protobuf.Struct':
        return STRUCT;
      case 'google.protobuf.Value':
        return jsonValue;
      case 'google.protobuf.Timestamp':
        return TIME;
      default:
        return depth > 0 ? arbitraryMessage(field.message, depth - 1) : fc.constant({});
    }
  }
  const scalar = 'scalar' in field ? SCALARS.get(field.scalar ?? 0) : undefined;
  if (!scalar) throw new TypeError(`No value for ${field.toString()}`);
  return scalar;
}

const SCALARS: ReadonlyMap<number, fc.Arbitrary<unknown>> = new Map<number, fc.Arbitrary<unknown>>([
  [ScalarType.STRING, TEXT],
  [ScalarType.BYTES, BYTES],
  [ScalarType.INT32, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
  [ScalarType.BOOL, fc.boolean()],
]);
