import { expect, it } from 'vitest';
import { normalizeBase64 } from '../../src/dialects/wire/values/base64.ts';

const MANY = 4 * 1024 * 1024;

it.each([
  ['-', '+'],
  ['_', '/'],
  ['-_', '+/'],
  ['A-', 'A+'],
])('turns millions of URL-safe characters into standard ones: %s', (urlSafe, standard) => {
  expect(normalizeBase64(urlSafe.repeat(MANY)) === standard.repeat(MANY)).toBe(true);
});

it.each([
  `${'A'.repeat(MANY)}*`,
  `${'-'.repeat(MANY)}+`,
  '='.repeat(MANY),
  `${'A'.repeat(MANY - 1)}==`,
])('refuses a long text that is no base64 (%#)', (text) => {
  expect(normalizeBase64(text)).toBeUndefined();
});

it.each(['', 'QQ', 'QQ==', 'QUI', 'QUI=', 'QUJD', 'Q-8', 'Q-8=', '-_-_'])('agrees with Node about %s', (text) => {
  expect(normalizeBase64(text)).toBe(Buffer.from(text, 'base64url').toString('base64'));
});

it.each([
  '=',
  '==',
  'Q',
  'Q=',
  'Q===',
  'QQ=',
  'QUI==',
  'QUJD=',
  'QUJD====',
  'Q=Q=',
  'Q-+_',
  'QQ=='.repeat(2),
])('refuses %s', (text) => {
  expect(normalizeBase64(text)).toBeUndefined();
});
