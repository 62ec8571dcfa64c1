import { expect, it } from 'vitest';
import { problemOfCall } from './oracle.ts';

const CALL = { path: '/x', metadata: {}, body: Buffer.from([0, 0, 0, 0, 0]) };
const END = { http: 200, status: 3, hasDetails: true, message: 'no', isServed: false, reset: 0 };

it.each([
  ['a refusal', CALL, END, undefined],
  ['a message', CALL, { ...END, status: undefined, isServed: true, reset: 8 }, undefined],
  ['no status', CALL, { ...END, status: undefined }, 'no status, with HTTP 200'],
  ['an internal error', CALL, { ...END, status: 13 }, 'the status 13 (no)'],
  ['an unknown error', CALL, { ...END, status: 2, hasDetails: false }, 'the status 2 (no)'],
  ['a status that there is not', CALL, { ...END, status: 99 }, 'the status 99'],
  ['a reset', CALL, { ...END, reset: 2 }, 'a reset with the code 2'],
  ['a flood of words', CALL, { ...END, message: 'x'.repeat(5000) }, 'a long message'],
  [
    'what the library cannot unpack',
    { ...CALL, body: Buffer.from([1]) },
    { ...END, status: 13, hasDetails: false },
    undefined,
  ],
  ['an error of ours beside that', { ...CALL, body: Buffer.from([1]) }, { ...END, status: 13 }, 'the status 13 (no)'],
])('%s', (_, call, end, problem) => {
  expect(problemOfCall(call, end)).toBe(problem);
});
