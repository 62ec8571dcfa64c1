import { A2AError } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../../src/cli/show/problems.ts';

function adviceOn(message: string): string {
  return problemOf(new A2AError('UNAUTHENTICATED', message), { program: 'parley', url: 'localhost:4000' }).text;
}

const LOGIN = 'log in with: parley login localhost:4000';

describe('who is not let in', () => {
  it('is sent to log in where tokens are taken, or may be', () => {
    expect(adviceOn('Credentials are missing: send a token in the header Authorization (Bearer)')).toContain(LOGIN);
    const either = 'an API key in the header X-API-Key, or a token in the header Authorization (Bearer)';
    expect(adviceOn(`Credentials are missing: send ${either}`)).toContain(LOGIN);
    for (const said of ['The credentials are not valid', 'Unauthorized']) expect(adviceOn(said)).toContain(LOGIN);
  });

  it('is not sent to log in where only other credentials are taken', () => {
    for (const taken of ['an API key in the header X-API-Key', 'a client certificate']) {
      const advice = adviceOn(`Credentials are missing: send ${taken}`);
      expect(advice).toContain('Use --token TOKEN');
      expect(advice).not.toContain('log in');
    }
  });
});

it('names the flag of the command for a setting of the client', () => {
  const place = { program: 'parley', command: 'login', url: 'https://agents.example.com' };
  const textOf = (message: string) => problemOf(new A2AError('UNAUTHENTICATED', message), place).text;
  expect(textOf('Nobody is known who gives tokens; set issuer')).toContain('; give --issuer URL.');
  expect(textOf("It is elsewhere; set issuer to 'https://login.example.com' if that is right")).toContain(
    '; give --issuer https://login.example.com if that is right.',
  );
});
