import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFileEncoding, FileHabits } from '../../../src/dialects/file-encoding.ts';
import { fileBytes } from '../../../src/dialects/wire/values/file-bytes.ts';

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const bytes = fc.uint8Array({ maxLength: 200 });

describe('the bytes of a file in ProtoJSON of 0.3', () => {
  it('encoded twice are base64 of the base64 text, as Python, Go and Java have them', () => {
    fc.assert(
      fc.property(bytes, (file) => {
        const wire = fileBytes({ write: 'twice' }).write(base64(file));
        expect(wire).toBe(base64(base64(file)));
        expect(fileBytes({ read: 'twice' }).read(wire)).toBe(base64(file));
      }),
    );
  });

  it('of 12 and more are found to be encoded twice', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 3000 }), (file) => {
        expect(fileBytes({ read: 'detect' }).read(base64(base64(file)))).toBe(base64(file));
      }),
    );
  });

  it('encoded once are left alone, unless they look like base64 of 16 characters or more', () => {
    const looksEncoded = (file: Uint8Array) => {
      const text = Buffer.from(file).toString('latin1');
      return text.length >= 16 && Buffer.from(text, 'base64').toString('base64') === text;
    };
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => new Uint8Array(Buffer.from(value)));
    const short = fc.base64String({ maxLength: 15 }).map((value) => new Uint8Array(Buffer.from(value)));
    fc.assert(
      fc.property(fc.oneof(bytes, text, short), (file) => {
        fc.pre(!looksEncoded(file));
        expect(fileBytes({ read: 'detect' }).read(base64(file))).toBe(base64(file));
        expect(fileBytes({ read: 'once' }).read(base64(file))).toBe(base64(file));
      }),
    );
  });

  it.each([
    ['12 characters', 'aGVsbG8gd29y'],
    ['no padding', 'aGVsbG8gd29ybGQ'],
    ['bits that are set behind the end', 'aGVsbG8gd29ybGR='],
    ['a line break', 'aGVsbG8g\nd29ybGQh'],
    ['the letters of URLs', 'aGVsbG8gd29ybG-_'],
    ['a beginning only', `${'QUJD'.repeat(400)}!`],
  ])('that are a text with %s count as encoded once', (_, text) => {
    expect(fileBytes({ read: 'detect' }).read(base64(text))).toBe(base64(text));
  });

  it('encoded once are read even where twice is expected, if they are no base64', () => {
    expect(fileBytes({ read: 'twice' }).read(base64('Hello, world!'))).toBe(base64('Hello, world!'));
  });
});

describe('what a client knows of its server', () => {
  it('begins with what works with most, and goes by what it sees', () => {
    const habits = new FileHabits();
    expect([habits.read, habits.write]).toEqual(['detect', 'twice']);
    habits.observe('twice');
    expect(habits.write).toBe('twice');
    habits.observe('once');
    habits.observe('twice');
    expect(habits.write).toBe('once');
    expect(habits.headers).toEqual({});
  });

  it('is exact where the server says it', () => {
    const habits = new FileHabits({ read: 'detect' });
    habits.notice('once');
    expect([habits.read, habits.write, habits.headers]).toEqual(['once', 'once', { 'x-parley-files': 'once' }]);
    habits.notice(null);
    habits.notice('thrice');
    expect(habits.read).toBe('once');
  });

  it('yields to settings for what is written', () => {
    const habits = new FileHabits({ write: 'once' }, () => true);
    habits.observe('twice');
    expect([habits.write, habits.headers]).toEqual(['once', { 'x-parley-files': 'once' }]);
  });

  it('takes no setting that there is not', () => {
    expect(() => checkFileEncoding({ write: 'thrice' as 'twice' })).toThrow(/fileEncoding has write: thrice/);
    expect(() => checkFileEncoding({ read: 'never' as 'once' })).toThrow(TypeError);
    expect(() => checkFileEncoding()).not.toThrow();
  });
});
