import { describe, expect, it } from 'vitest';
import { parseScript, USAGE } from './commands.ts';

describe('parseScript', () => {
  it.each([
    ['say Hello  you', { name: 'say', text: 'Hello  you' }],
    ['chunk 5', { name: 'chunk', count: 5, size: 16, delay: 0 }],
    ['chunk 5 100', { name: 'chunk', count: 5, size: 100, delay: 0 }],
    ['chunk  5\t100 20', { name: 'chunk', count: 5, size: 100, delay: 20 }],
    ['chunk 1000000 100 600000', { name: 'chunk', count: 1_000_000, size: 100, delay: 600_000 }],
    ['chunk 100 1000000', { name: 'chunk', count: 100, size: 1_000_000, delay: 0 }],
    [
      'file a.txt text/plain Some text',
      { name: 'file', filename: 'a.txt', mediaType: 'text/plain', text: 'Some text' },
    ],
    [
      'file a.svg image/svg+xml <svg/>',
      { name: 'file', filename: 'a.svg', mediaType: 'image/svg+xml', text: '<svg/>' },
    ],
    ['data {"a": [1, null]}', { name: 'data', value: { a: [1, null] } }],
    ['data null', { name: 'data', value: null }],
    ['wait 0', { name: 'wait', milliseconds: 0 }],
    ['wait 600000', { name: 'wait', milliseconds: 600_000 }],
    ['ask Who?', { name: 'ask', text: 'Who?' }],
    ['auth Sign in', { name: 'auth', text: 'Sign in' }],
    ['reply Bye # not a comment', { name: 'reply', text: 'Bye # not a comment' }],
    ['fail Broken', { name: 'fail', text: 'Broken' }],
    ['reject No', { name: 'reject', text: 'No' }],
    ['  SAY Hello  ', { name: 'say', text: 'Hello' }],
  ])('reads %j', (line, command) => {
    expect(parseScript(line)).toEqual({ kind: 'commands', commands: [command] });
  });

  it.each([
    ['say'],
    ['chunk'],
    ['file'],
    ['data'],
    ['wait'],
    ['ask'],
    ['auth'],
    ['reply'],
    ['fail'],
    ['reject'],
  ])('refuses %s without an argument, and has it in the usage', (name) => {
    expect(parseScript(name)).toMatchObject({
      kind: 'malformed',
      line: 1,
      reason: expect.stringMatching(/^It needs /),
    });
    expect(USAGE).toMatch(new RegExp(`^  ${name} [A-Z]`, 'm'));
  });

  it.each([
    ['dance', 'There is no command "dance".'],
    ['toString x', 'There is no command "toString".'],
    ['say: hello', 'There is no command "say:".'],
    ['chunk x', 'N must be a whole number from 1 to 1,000,000, not "x".'],
    ['chunk 0', 'N must be a whole number from 1 to 1,000,000, not "0".'],
    ['chunk -1', 'N must be a whole number from 1 to 1,000,000, not "-1".'],
    ['chunk 1.5', 'N must be a whole number from 1 to 1,000,000, not "1.5".'],
    ['chunk 1e3', 'N must be a whole number from 1 to 1,000,000, not "1e3".'],
    ['chunk 1000001', 'N must be a whole number from 1 to 1,000,000, not "1000001".'],
    ['chunk 1 0', 'SIZE must be a whole number from 1 to 1,000,000, not "0".'],
    ['chunk 1 1000001', 'SIZE must be a whole number from 1 to 1,000,000, not "1000001".'],
    ['chunk 1 1 600001', 'DELAY_MS must be a whole number from 0 to 600,000, not "600001".'],
    ['chunk 1 1 soon', 'DELAY_MS must be a whole number from 0 to 600,000, not "soon".'],
    ['chunk 1 2 3 4', 'It takes 1 to 3 numbers.'],
    ['chunk 401 1000000', 'N times SIZE must be at most 400,000,000 characters.'],
    ['file a.txt', 'It needs NAME TYPE TEXT.'],
    ['file a.txt text/plain', 'It needs NAME TYPE TEXT.'],
    ['file a.txt plain text', 'TYPE must be a media type such as text/plain, not "plain".'],
    ['data {a: 1}', 'JSON must be one valid JSON value on one line.'],
    ['wait', 'It needs MS.'],
    ['wait soon', 'MS must be a whole number from 0 to 600,000, not "soon".'],
    ['wait 600001', 'MS must be a whole number from 0 to 600,000, not "600001".'],
    ['wait 1 2', 'It takes one number.'],
  ])('refuses %j', (line, reason) => {
    expect(parseScript(line)).toEqual({ kind: 'malformed', line: 1, source: line, reason });
  });

  it('skips blank lines and comments, and takes every kind of line end', () => {
    const script = parseScript('# a comment\r\n\r\n  say one\n\t\n   # another\rsay two\n');
    expect(script).toEqual({
      kind: 'commands',
      commands: [
        { name: 'say', text: 'one' },
        { name: 'say', text: 'two' },
      ],
    });
  });

  it('names the line, counting those that it skips', () => {
    expect(parseScript('# a comment\n\nsay one\n  Dance all night\nwait x')).toEqual({
      kind: 'malformed',
      line: 4,
      source: 'Dance all night',
      reason: 'There is no command "Dance".',
    });
  });

  it('does not repeat a long word in full', () => {
    expect(parseScript('x'.repeat(5000))).toMatchObject({ reason: `There is no command "${'x'.repeat(40)}…".` });
  });

  it.each([[''], ['\n\n'], ['# only a comment']])('finds no commands in %j', (source) => {
    expect(parseScript(source)).toEqual({ kind: 'commands', commands: [] });
  });
});
