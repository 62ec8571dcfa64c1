import type { Credentials } from '../../check/wire/caller.ts';
import type { AgentCard, SecurityScheme } from '../../model/card.ts';
import { readPublished } from '../connect/published-card.ts';
import { suits } from '../connect/token-kinds.ts';
import { storedCredentials } from '../login/stored.ts';
import type { Surroundings } from '../surroundings.ts';

/** The credentials that the user gave. */
interface Given {
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly env: Surroundings['env'];
}

type CredentialsFor = (card: unknown) => Credentials;

/**
 * Headers that prove who calls, in the way that the card asks for. A token goes by the card's schemes, else as a bearer
 * token; without one, a login that is kept is used.
 */
export function credentialsOf({ token, headers, env }: Given): CredentialsFor {
  return (published) => {
    const read = readOnce(published);
    return async (url) => {
      const card = await read();
      const own = token === undefined ? await storedHeaders(card, url, env) : tokenHeaders(token, card);
      return { ...own, ...headers };
    };
  };
}

function readOnce(published: unknown): () => Promise<AgentCard | undefined> {
  let reading: Promise<AgentCard | undefined> | undefined;
  return () => {
    reading ??=
      published === undefined
        ? Promise.resolve(undefined)
        : readPublished({ url: 'http://localhost/', text: JSON.stringify(published) }).then(
            ({ card }) => card,
            () => undefined,
          );
    return reading;
  };
}

function tokenHeaders(token: string, card: AgentCard | undefined): Record<string, string> {
  const schemes = Object.values(card?.securitySchemes ?? {});
  const scheme = schemes.find((one) => suits(token, one, card));
  return scheme === undefined ? { authorization: `Bearer ${token}` } : headersFor(scheme, token);
}

function headersFor(scheme: SecurityScheme, token: string): Record<string, string> {
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'header') return { [scheme.name.toLowerCase()]: token };
    return scheme.in === 'cookie' ? { cookie: `${scheme.name}=${token}` } : {};
  }
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
  return { authorization: isBasic ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}` };
}

async function storedHeaders(
  card: AgentCard | undefined,
  url: string,
  env: Surroundings['env'],
): Promise<Record<string, string>> {
  const stored = storedCredentials(env);
  const known = { scopes: [], skill: undefined, challenge: undefined, refused: undefined, url };
  for (const [name, scheme] of Object.entries(card?.securitySchemes ?? {})) {
    if (scheme.type !== 'oauth2' && scheme.type !== 'openIdConnect') continue;
    const token = await stored({ ...known, name, scheme });
    if (token !== undefined) return { authorization: `Bearer ${token}` };
  }
  return {};
}
