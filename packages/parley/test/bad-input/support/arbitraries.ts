import fc from 'fast-check';
import { changed, objectOf, type Place, placesIn, valueAt } from './json.ts';

/** Texts that mean something to somebody on the way. */
const LOADED = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '0',
  '-1',
  '1e9',
  '\u0000',
  '\ud800',
  '\ud83d\ude00',
  '../../etc/passwd',
  '%00%ff%zz',
  'a\r\nb: c',
  'ROLE_USER',
  'TASK_STATE_WORKING',
  'user',
  '2026-01-05T10:15:00Z',
  'aGk=',
  'text/plain',
  'urn:parley:ext:resume:v1',
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...LOADED),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 8 }),
);

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-1, 0, 1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, 5e-324, 1.7976931348623157e308),
);

/** Any JSON value, with names and texts that are meant to hurt. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; list: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    number,
    oddText,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(oddText, tie('value')), { maxLength: 4 }).map(objectOf),
})).value;

/** A change at one place of a JSON value. */
type Change = (value: unknown, place: Place) => unknown;

const change: fc.Arbitrary<Change> = fc.oneof(
  anyJson.map(
    (to): Change =>
      (value, place) =>
        changed(value, place, to),
  ),
  fc.constant<Change>((value, place) => changed(value, place, undefined)),
  fc.constant<Change>((value, place) => changed(value, place, [valueAt(value, place), valueAt(value, place)])),
  fc.constant<Change>((value, place) => changed(value, place, { value: valueAt(value, place) })),
  fc.tuple(oddText, anyJson).map(
    ([name, more]): Change =>
      (value, place) =>
        changed(value, [...place.filter(isName), name], more),
  ),
);

const isName = (step: string | number): boolean => typeof step === 'string';

/** A right value with one or a few random changes anywhere. */
export function nearly(right: unknown): fc.Arbitrary<unknown> {
  return fc.array(fc.tuple(change, fc.nat()), { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce<unknown>((value, [apply, chosen]) => {
      const places = placesIn(value);
      return apply(value, places[chosen % places.length] ?? []) ?? null;
    }, right),
  );
}

/** What may stand in a header that arrives: Latin-1 without control characters, and no white space around. */
export const headerValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ',', ',,,', ';', '*/*', '"', '1.0', '0.3', '-1', '99999999999999999999', 'NaN', 'W/"x"', '*'),
  fc
    .string({
      unit: fc
        .integer({ min: 0x20, max: 0xff })
        .filter((code) => code !== 0x7f)
        .map((code) => String.fromCharCode(code)),
      maxLength: 60,
    })
    .map((text) => text.trim()),
  fc.constantFrom('x', 'é', ',', 'a,').map((text) => text.repeat(5000)),
);
