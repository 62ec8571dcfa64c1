import { array, assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsv, parseCsv } from './csv.ts';

describe('parseCsv', () => {
  it.each([
    ['nothing', '', []],
    [
      'plain rows',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a last line without an end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['blank lines', '\na\n\n\r\nb\n\n', [['a'], ['b']]],
    [
      'empty fields',
      ',\na,\n,b\n,,',
      [
        ['', ''],
        ['a', ''],
        ['', 'b'],
        ['', '', ''],
      ],
    ],
    ['quoted commas', '"a,b",c', [['a,b', 'c']]],
    ['doubled quotes', '"Monitor, 27""",""""', [['Monitor, 27"', '"']]],
    ['quoted line ends', '"a\nb\r\nc",d\ne', [['a\nb\r\nc', 'd'], ['e']]],
    ['quoted empty fields', '""\n"",""', [[''], ['', '']]],
    ['a byte order mark', '\uFEFFa,b', [['a', 'b']]],
    ['spaces, which belong to the field', ' a , b ', [[' a ', ' b ']]],
    ['a lone carriage return, which is text', 'a\rb,c', [['a\rb', 'c']]],
  ])('reads %s', (_what, source, rows) => {
    expect(parseCsv(source)).toEqual(rows);
  });

  it.each([
    ['a quote in a bare field', 'ok\na"b', 'Line 2: a quote inside a field that is not quoted'],
    ['a quoted field without an end', 'ok\n\n"a\nb', 'Line 3: a quoted field does not end'],
    ['text after a quoted field', '"a\nb"\n"c"d', 'Line 3: text after the end of a quoted field'],
  ])('refuses %s', (_what, source, message) => {
    expect(() => parseCsv(source)).toThrow(message);
  });
});

describe('formatCsv', () => {
  it('quotes only where it must', () => {
    expect(
      formatCsv([
        ['a', 'b c', 1.5],
        ['x,y', '27"', 'l\nm'],
      ]),
    ).toBe('a,b c,1.5\n"x,y","27""","l\nm"\n');
  });

  it('writes what parseCsv reads', () => {
    const field = string({ unit: 'grapheme' }).map((source) => source.replaceAll('x', '"').replaceAll('y', '\r\n,'));
    assert(
      property(array(array(field, { minLength: 1, maxLength: 5 }), { maxLength: 8 }), (rows) => {
        expect(parseCsv(formatCsv(rows))).toEqual(rows);
      }),
    );
  });
});
