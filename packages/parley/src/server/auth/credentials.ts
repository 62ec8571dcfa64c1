import { header } from '../../bindings/exchange.ts';
import type { ApiKeyScheme, SecurityScheme } from '../../model/card.ts';
import type { AuthRequest } from './authenticator.ts';

/**
 * Credentials are found by searches for single characters, never by patterns that can backtrack: the headers come from
 * callers whom nobody knows yet.
 */

/** Longer credentials are refused before anything is computed from them. */
export const LONGEST_CREDENTIAL = 8192;

/** The credential that a request brings for a scheme; undefined where it has none of that kind. */
export function credentialFor(scheme: SecurityScheme, request: AuthRequest): string | undefined {
  switch (scheme.type) {
    case 'apiKey':
      return apiKeyOf(scheme, request);
    case 'http':
      return authorizationOf(request, scheme.scheme);
    case 'oauth2':
    case 'openIdConnect':
      return authorizationOf(request, 'Bearer');
    case 'mutualTLS':
      return undefined;
  }
}

/** The text after the scheme's name in `Authorization`. */
export function authorizationOf({ headers }: AuthRequest, scheme: string): string | undefined {
  const text = header(headers, 'authorization');
  if (text === undefined || text[scheme.length] !== ' ') return undefined;
  if (text.slice(0, scheme.length).toLowerCase() !== scheme.toLowerCase()) return undefined;
  return text.slice(scheme.length + 1).trim() || undefined;
}

function apiKeyOf(scheme: ApiKeyScheme, { headers, url }: AuthRequest): string | undefined {
  switch (scheme.in) {
    case 'header':
      return header(headers, scheme.name.toLowerCase())?.trim() || undefined;
    case 'query':
      return queryParameter(url, scheme.name);
    case 'cookie':
      return cookieOf(header(headers, 'cookie'), scheme.name);
  }
}

/** Several values are joined, as header lines are, and match no key. */
function queryParameter(url: string, name: string): string | undefined {
  const query = url.indexOf('?');
  if (query === -1) return undefined;
  const values = new URLSearchParams(url.slice(query + 1)).getAll(name);
  return values.join(', ') || undefined;
}

function cookieOf(cookies: string | undefined, name: string): string | undefined {
  if (cookies === undefined) return undefined;
  const values: string[] = [];
  for (const cookie of cookies.split(';')) {
    const equals = cookie.indexOf('=');
    if (equals !== -1 && cookie.slice(0, equals).trim() === name)
      values.push(unquoted(cookie.slice(equals + 1).trim()));
  }
  return values.join(', ') || undefined;
}

function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
