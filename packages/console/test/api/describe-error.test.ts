import { A2AError } from 'parley-a2a/client';
import { expect, it } from 'vitest';
import { describeError } from '../../src/api/describe-error.ts';
import { OperatorError } from '../../src/api/operator-error.ts';

it('says why the relay refused a request, and not that nobody could be reached', () => {
  const cause = new OperatorError(400, 'The address is not public.', 'Allow it.');
  const error = new A2AError('UNREACHABLE', 'No connection to http://10.0.0.1', { cause });
  expect(describeError(error)).toEqual({ sentence: 'The address is not public.', advice: 'Allow it.' });
});
