import { describe, expect, it } from 'vitest';
import { decode, type Members } from '../../src/dialects/wire/members.ts';
import { readEnum, readInteger } from '../../src/dialects/wire/request-members.ts';
import { normalizeBase64 } from '../../src/dialects/wire/values/base64.ts';
import { plainEnum, wireEnum, withAliases } from '../../src/dialects/wire/values/enums.ts';
import { parseInteger } from '../../src/dialects/wire/values/integers.ts';
import { parseAnyTimestamp, parseTimestamp } from '../../src/dialects/wire/values/timestamps.ts';
import { refusalOf, refusedFields } from './support/refusals.ts';

describe('base64', () => {
  it.each([
    ['', ''],
    ['aGk=', 'aGk='],
    ['aGk', 'aGk='],
    ['/w==', '/w=='],
    ['_w', '/w=='],
    ['-_-_', '+/+/'],
  ])('%j becomes %j', (given, expected) => {
    expect(normalizeBase64(given)).toBe(expected);
  });

  it.each([
    'A',
    'AAAAA',
    'AA=',
    'AAA==',
    '=',
    '====',
    'AA==AA==',
    '+_AA',
    'aG k',
    'aGk=\n',
    'ä',
  ])('%j is refused', (given) => {
    expect(normalizeBase64(given)).toBeUndefined();
  });

  it('takes megabytes', () => {
    const large = 'QUJD'.repeat(1_000_000);
    expect(normalizeBase64(large)).toBe(large);
    expect(normalizeBase64(`${large}!`)).toBeUndefined();
  });
});

describe('timestamps', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-01-05T10:15:00.000Z', 1_767_608_100_000],
    ['2026-01-05T10:15:00.1Z', 1_767_608_100_100],
    ['2026-01-05T10:15:00.123456789Z', 1_767_608_100_123],
    ['2026-01-05T10:15:00.0009Z', 1_767_608_100_000],
    ['2024-02-29T23:59:59Z', 1_709_251_199_000],
    ['1969-12-31T23:59:59.500Z', -500],
  ])('%s is %d', (given, expected) => {
    expect(parseTimestamp(given)).toBe(expected);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-05T24:00:00Z',
    '2026-01-05T10:60:00Z',
    '2026-01-05T10:15:60Z',
    '2026-01-05T10:15:00',
    '2026-01-05T10:15:00+00:00',
    '2026-01-05T10:15:00.Z',
    '2026-01-05 10:15:00Z',
    '2026-01-05',
    '2026-01-05T10:15:00z',
    '1767608100000',
    '',
  ])('%j is refused', (given) => {
    expect(parseTimestamp(given)).toBeUndefined();
  });
});

describe('timestamps of 0.3', () => {
  it.each([
    ['2026-01-05T10:15:00Z', '2026-01-05T10:15:00.000Z'],
    ['2026-01-05T10:15:00z', '2026-01-05T10:15:00.000Z'],
    ['2026-01-05T10:15:00', '2026-01-05T10:15:00.000Z'],
    ['2026-01-05 10:15:00.25', '2026-01-05T10:15:00.250Z'],
    ['2026-01-05T10:15:00.123456+00:00', '2026-01-05T10:15:00.123Z'],
    ['2026-01-05T00:15:00+02:30', '2026-01-04T21:45:00.000Z'],
    ['2026-01-05T10:15:00-0100', '2026-01-05T11:15:00.000Z'],
  ])('%s is %s', (given, expected) => {
    expect(new Date(parseAnyTimestamp(given) ?? 0).toISOString()).toBe(expected);
  });

  it.each([
    '2026-02-30T00:00:00+01:00',
    '2026-01-05',
    '2026-01-05T10:15',
    '2026-01-05T10:15:00 UTC',
    '2026-01-05T10:15:00+1',
    'yesterday',
    '',
  ])('%j is refused', (given) => {
    expect(parseAnyTimestamp(given)).toBeUndefined();
  });
});

describe('integers', () => {
  it.each([
    [5, 5],
    [-0, 0],
    ['5', 5],
    ['-0', 0],
    ['007', 7],
    ['-12', -12],
  ])('%j is %d', (given, expected) => {
    expect(parseInteger(given)).toBe(expected);
  });

  it.each([
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    ' 5',
    '5.0',
    '1e2',
    '0x10',
    true,
    null,
    [5],
  ])('%j is refused', (given) => {
    expect(parseInteger(given)).toBeUndefined();
  });
});

describe('enums', () => {
  it('may have names alone, and names that are only read', () => {
    const colours = withAliases(plainEnum(['red', 'blue']), [['crimson', 'red']]);
    expect(['red', 'blue', 'crimson', 'green', 1, 0].map((name) => colours.values.get(name))).toEqual([
      'red',
      'blue',
      'red',
      undefined,
      undefined,
      undefined,
    ]);
    expect(colours.expectation).toBe('must be one of red, blue');
  });
});

describe('members', () => {
  const colours = wireEnum({ red: 'COLOUR_RED', blue: 'COLOUR_BLUE' });

  it('says what would be right', () => {
    const read = (members: Members) => [
      members.requiredText('missing'),
      members.requiredText('empty'),
      members.string('number'),
      members.flag('number'),
      readInteger(members, 'text', undefined),
      readInteger(members, 'number', undefined, 1, 5),
      readEnum(members, colours, 'text'),
      members.object('text', undefined, () => 0),
    ];
    expect(refusalOf(() => decode({ empty: '', number: 7, text: 'x' }, read)).violations).toEqual([
      { field: 'missing', description: 'is required' },
      { field: 'empty', description: 'must not be empty' },
      { field: 'number', description: 'must be a string' },
      { field: 'number', description: 'must be true or false' },
      { field: 'text', description: 'must be an integer' },
      { field: 'number', description: 'must be between 1 and 5' },
      { field: 'text', description: 'must be one of COLOUR_RED, COLOUR_BLUE' },
      { field: 'text', description: 'must be an object' },
    ]);
  });

  it('names members by their path in camelCase', () => {
    const leaf = (members: Members) => members.requiredText('lastName', 'last_name');
    const middle = (members: Members) => members.list('some_items', undefined, leaf);
    const read = (members: Members) => members.object('outer', undefined, middle);
    expect(refusedFields(() => decode({ outer: { some_items: [{ last_name: 'a' }, {}, 3] } }, read))).toEqual([
      'outer.some_items[1].lastName',
      'outer.some_items[2]',
    ]);
  });

  it('stops at ten findings', () => {
    const read = (members: Members) => members.texts('names');
    const names = Array.from({ length: 10_000 }, () => 0);
    expect(refusedFields(() => decode({ names }, read))).toHaveLength(10);
  });

  it('is not misled by members named like those of every object', () => {
    const read = (members: Members) => [members.text('name'), members.struct('metadata')];
    const hostile = JSON.parse('{"__proto__": {"name": "x"}, "metadata": {"__proto__": {"polluted": true}}}');
    const [name, metadata] = decode(hostile, read);
    expect(name).toBeUndefined();
    expect(JSON.stringify(metadata)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
