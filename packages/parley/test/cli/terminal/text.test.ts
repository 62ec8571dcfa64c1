import { describe, expect, it } from 'vitest';
import { age, duration, size } from '../../../src/cli/text/amounts.ts';
import { clean, cleanLine } from '../../../src/cli/text/clean.ts';
import { commandLine, quoted } from '../../../src/cli/text/shell.ts';
import { tailOf, truncated, widthOf } from '../../../src/cli/text/width.ts';
import { nearest } from '../../../src/model/options/nearest.ts';

describe('clean', () => {
  it.for([
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['bell\u0007 back\b', 'bell␇ back␈'],
    ['\u009b2J\u007f', '\ufffd2J␡'],
    ['a\u202eb\u2066c', 'a\ufffdb\ufffdc'],
    ['one\r\ntwo\ttab\rthree', 'one\ntwo\ttab␍three'],
    ['👩‍💻 é ü 日本', '👩‍💻 é ü 日本'],
  ])('%j', ([text = '', shown = '']) => expect(clean(text)).toBe(shown));

  it('puts everything on one line', () => expect(cleanLine(' a\n\n b\t c ')).toBe('a b c'));
});

describe('width', () => {
  it.for([
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['🙂', 2],
    ['…–│', 3],
  ] as const)('%j', ([text, width]) => expect(widthOf(text)).toBe(width));

  it('cuts what is too wide', () => {
    expect(truncated('abcdef', 4)).toBe('abc…');
    expect(truncated('日本語', 4)).toBe('日…');
    expect(truncated('abc', 3)).toBe('abc');
    expect(tailOf('abcdef', 4)).toBe('…def');
  });
});

it('finds the word that was meant', () => {
  const words = ['serve', 'send', 'stream', 'card', 'cancel', 'chat'];
  expect(nearest('srve', words)).toBe('serve');
  expect(nearest('sedn', words)).toBe('send');
  expect(nearest('str', words)).toBe('stream');
  expect(nearest('CARD', words)).toBe('card');
  expect(nearest('unrelated', words)).toBeUndefined();
});

it('quotes for a shell', () => {
  expect(quoted('http://localhost:4000/a2a')).toBe('http://localhost:4000/a2a');
  expect(commandLine('parley', 'send', "it's")).toBe("parley send 'it'\\''s'");
  expect(quoted("a\u001b[2J\\'\n")).toBe(String.raw`$'a\u001b[2J\\\'\n'`);
});

it('writes amounts', () => {
  expect([0, 999, 1000, 12_345, 3_200_000].map(size)).toEqual(['0 B', '999 B', '1.0 kB', '12 kB', '3.2 MB']);
  expect([0, 59_999, 200_000, 7_500_000].map(duration)).toEqual(['0s', '59s', '3m 20s', '2h 5m']);
  const now = Date.parse('2026-01-02T00:00:00Z');
  const ages = ['2026-01-02T00:00:00Z', '2026-01-01T23:59:30Z', '2026-01-01T23:00:00Z', '2025-12-01T00:00:00Z'];
  expect(ages.map((time) => age(time, now))).toEqual(['now', '30s ago', '1h ago', '2025-12-01']);
});
