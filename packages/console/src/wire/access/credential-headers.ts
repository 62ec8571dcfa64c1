import type { Credential, CredentialRequest } from 'parley-a2a/client';
import { type AgentTarget, clientFor, urlOf } from '../../api/clients.ts';
import { EVERY_DIALECT } from '../record/client-values.ts';
import { wiredFetch } from '../record/wired-options.ts';
import { agentSettings } from './agent-settings.ts';
import { loginFor } from './login.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers of an agent as its client would send them: those that were set, and what proves who calls. */
export async function credentialHeaders(target: AgentTarget): Promise<Headers> {
  const url = urlOf(target);
  const { headers = {}, credentials = {} } = agentSettings(url);
  const login = loginFor(url);
  if (Object.keys(credentials).length === 0 && !login) return headers;
  const client = clientFor(target);
  const { securitySchemes = {}, security = [] } = await client.agentCard();
  const schemes = Object.entries(securitySchemes);
  const all = schemes.length > 0 ? schemes : [['', { type: 'http', scheme: 'Bearer' }] as const];
  let proof: Headers = {};
  for (const [name, scheme] of all) {
    const scopes = security.flatMap((requirement) => requirement[name] ?? []);
    const address = client.interface?.url ?? url;
    const rest = { skill: undefined, challenge: undefined, refused: undefined };
    const request: CredentialRequest = { name, scheme, scopes, url: address, ...rest };
    const credential = credentials[name] ?? (await login?.(request));
    if (credential !== undefined) proof = { ...proof, ...(await headersOf(credential, request, url)) };
  }
  return { ...proof, ...headers };
}

async function headersOf(credential: Credential, request: CredentialRequest, url: string): Promise<Headers> {
  const { scheme } = request;
  if (typeof credential !== 'string' && 'clientId' in credential) {
    const isTrusted = () => false;
    const token = await EVERY_DIALECT.oauth.token({
      ...request,
      client: credential,
      refused: undefined,
      isTrusted,
      fetch: wiredFetch(url),
      now: Date.now,
    });
    return { authorization: `Bearer ${token}` };
  }
  if (typeof credential !== 'string') return { authorization: `Basic ${base64(credential)}` };
  if (scheme.type === 'apiKey') {
    if (scheme.in === 'header') return { [scheme.name.toLowerCase()]: credential };
    return scheme.in === 'cookie' ? { cookie: `${scheme.name}=${credential}` } : {};
  }
  return { authorization: `${scheme.type === 'http' ? scheme.scheme : 'Bearer'} ${credential}` };
}

function base64({ username, password }: { readonly username: string; readonly password: string }): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)));
}
