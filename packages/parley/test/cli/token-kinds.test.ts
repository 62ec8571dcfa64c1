import { describe, expect, it } from 'vitest';
import { suits } from '../../src/cli/connect/token-kinds.ts';
import type { AgentCard, SecurityScheme } from '../../src/model/card.ts';

const KEY: SecurityScheme = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
const BEARER: SecurityScheme = { type: 'http', scheme: 'Bearer' };
const BASIC: SecurityScheme = { type: 'http', scheme: 'Basic' };
const OIDC: SecurityScheme = { type: 'openIdConnect', openIdConnectUrl: 'https://login.example.com' };
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';
const OURS = 'pk_ec2d013be8_2ERvM5tVIHcVsTR21iCm-WPaG3wC2zM9';

/** The types of the schemes that get the credential. */
function goesTo(credential: string, ...schemes: readonly SecurityScheme[]): readonly SecurityScheme[] {
  const named = Object.fromEntries(schemes.map((scheme, index) => [`scheme${index}`, scheme]));
  const card = { securitySchemes: named } as unknown as AgentCard;
  return schemes.filter((scheme) => suits(credential, scheme, card));
}

describe('a credential of the command line', () => {
  it('goes to the scheme that it looks like, in whatever order the card has them', () => {
    expect(goesTo(JWT, KEY, OIDC)).toEqual([OIDC]);
    expect(goesTo(JWT, BEARER, KEY, BASIC)).toEqual([BEARER]);
    expect(goesTo(OURS, OIDC, KEY)).toEqual([KEY]);
    expect(goesTo('ada:secret', KEY, BASIC, BEARER)).toEqual([BASIC]);
  });

  it('goes where there is only one place, whatever it looks like', () => {
    expect(goesTo(JWT, KEY)).toEqual([KEY]);
    expect(goesTo(OURS, BEARER)).toEqual([BEARER]);
    expect(goesTo('YWRhOnNlY3JldA==', BASIC)).toEqual([BASIC]);
    expect(goesTo('opaque', OIDC, BEARER)).toEqual([OIDC, BEARER]);
    expect(goesTo('with:colon', KEY, BEARER)).toEqual([KEY]);
  });

  it('goes to the scheme that the server asks for where the card has none', () => {
    expect(suits(OURS, BEARER, undefined)).toBe(true);
  });
});
