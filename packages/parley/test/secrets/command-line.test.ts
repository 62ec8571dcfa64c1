import { describe, expect, it } from 'vitest';
import { secretsOf, withoutSecrets } from '../../src/cli/show/given-secrets.ts';
import { problemOf } from '../../src/cli/show/problems.ts';
import { A2AError } from '../../src/model/errors/errors.ts';

describe('an error of the command line', () => {
  const secrets = secretsOf(
    { token: 'tok-secret\n1', header: ['authorization: Bearer abc.def.ghi', 'not a header hunter22'] },
    { PARLEY_TOKEN: 'from-the-environment' },
  );

  it.each([
    ['the token', 'Headers.append: "Bearer tok-secret\n1" is an invalid header value'],
    ['a header', 'The server said: wrong credential abc.def.ghi'],
    ['a header that is none', `--header must be 'NAME: VALUE', not "not a header hunter22"`],
    ['the token of the environment', 'The server said: wrong credential from-the-environment'],
  ])('does not show %s', (_name, text) => {
    for (const error of [new Error(text), new A2AError('UNAUTHENTICATED', text)]) {
      const problem = problemOf(error, { program: 'parley', url: 'http://x', secrets });
      expect(problem.text).not.toMatch(/tok-secret|abc\.def|hunter22|from-the-env/);
      expect(problem.text).toContain('***');
    }
  });

  it('shows everything else', () => {
    expect(withoutSecrets('no secret', secrets)).toBe('no secret');
    expect(secretsOf({ token: 'abc' }, {})).toEqual([]);
  });
});
