import { expect, it } from 'vitest';
import { textOfThrown } from '../../src/model/errors/thrown-text.ts';

const thrower = () => {
  throw new Error('not to be read');
};

it('is the message of an error, and the text of anything else', () => {
  expect(textOfThrown(new RangeError('too far'))).toBe('too far');
  expect(textOfThrown('just a text')).toBe('just a text');
  expect(textOfThrown(undefined)).toBe('undefined');
});

it.each<[string, unknown]>([
  ['has no text', Object.create(null)],
  ['throws when it is read', { toString: thrower }],
  ['is an error that throws when it is read', Object.defineProperty(new Error(), 'message', { get: thrower })],
])('says so of what %s', (_, thrown) => {
  expect(textOfThrown(thrown)).toBe('Something without a text was thrown');
});
