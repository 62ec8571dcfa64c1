import { A2AError, isA2AError } from '../../../model/errors.ts';
import type { Timing } from '../../call/timing.ts';
import type { CredentialRequest } from '../../options.ts';
import { isLoopback, safeAddress } from './addresses.ts';
import { type Discovered, discover } from './discovery/discover.ts';
import { clientCredentialsFlow } from './flows/client-credentials.ts';
import type { Flow } from './flows/flow.ts';
import type { Grant } from './grants.ts';
import type { OAuthOptions } from './options.ts';
import type { Requests } from './requests.ts';
import type { Endpoints } from './server.ts';
import { postAs } from './token-requests.ts';
import { readTokenResponse, renewalTime, type TokenResponse } from './tokens.ts';

export interface Obtaining {
  readonly options: OAuthOptions;
  readonly timing: Timing;
}

/** A grant for what is asked for, by the first flow that the authorization server has; undefined where there is no flow. */
export async function obtain(
  request: CredentialRequest,
  scopes: readonly string[],
  { options, timing }: Obtaining,
): Promise<Grant | undefined> {
  const flows = flowsOf(options);
  if (flows.length === 0) return undefined;
  const { clientId, clientSecret, signal } = options;
  const requests = requestsOf(options);
  const discovered = await discover(request, options.issuer, requests);
  const { server } = discovered;
  const [flow, endpoints] = chosenFlow(flows, discovered, request);
  checkSecret(options, request, server.issuer, endpoints);
  const resource = options.resource === false ? undefined : (options.resource ?? discovered.resource);
  const isForPerson = flow !== clientCredentialsFlow;
  const wanted = isForPerson && server.hasOfflineAccess ? [...new Set([...scopes, 'offline_access'])] : scopes;
  const body = await flow.run({
    endpoints,
    issuer: server.issuer,
    namesItself: server.namesItself,
    clientId,
    scope: wanted.length > 0 ? { scope: wanted.join(' ') } : {},
    resource: resource === undefined ? {} : { resource },
    near: isLoopback(endpoints.tokenUrl),
    post: (url, form) => postAs({ clientId, clientSecret }, url, form, server.takesSecretInForm, requests),
    timing,
    signal,
  });
  const tokenUrl = endpoints.tokenUrl.href;
  const granted = readTokenResponse(body, endpoints.tokenUrl.origin);
  const issuer = server.issuer ?? tokenUrl;
  return { issuer, tokenUrl, clientId, resource, scopes, ...kept(granted, timing) };
}

/** The same grant with a new token (RFC 6749 §6); undefined where a person, or the client's secret, is needed again. */
export async function renew(grant: Grant, { options, timing }: Obtaining): Promise<Grant | undefined> {
  const { refreshToken, resource } = grant;
  if (refreshToken === undefined) return undefined;
  const url = safeAddress(grant.tokenUrl, 'The address for tokens', true);
  const form = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...(resource !== undefined && { resource }),
  };
  try {
    const body = await postAs(clientOf(options), url, form, false, requestsOf(options));
    const granted = readTokenResponse(body, url.origin);
    // A server that does not rotate refresh tokens leaves the old one valid.
    return { ...grant, refreshToken, ...kept(granted, timing) };
  } catch (error) {
    // A server that is away for a moment is no reason to ask a person again.
    if (isA2AError(error) && error.code === 'UNAUTHENTICATED' && (error.httpStatus ?? 0) < 500) return undefined;
    throw error;
  }
}

function clientOf({ clientId, clientSecret }: OAuthOptions) {
  return { clientId, clientSecret };
}

function requestsOf({ fetch: send, signal }: OAuthOptions): Requests {
  // Called as a function of its own: browsers insist that `fetch` is not a method of something else.
  return { fetch: send ?? ((input, init) => fetch(input, init)), signal };
}

function flowsOf({ flow, clientSecret }: OAuthOptions): readonly Flow[] {
  if (flow === undefined) return clientSecret === undefined ? [] : [clientCredentialsFlow];
  return [flow].flat();
}

function chosenFlow(
  flows: readonly Flow[],
  { server }: Discovered,
  { url }: CredentialRequest,
): readonly [Flow, Endpoints] {
  for (const flow of flows) {
    const endpoints = server.endpoints[flow.name];
    if (endpoints) return [flow, endpoints];
  }
  const offered = Object.keys(server.endpoints).join(', ') || 'none';
  const wanted = flows.map(({ name }) => name).join(' nor ');
  const who = server.issuer ?? `the card of ${new URL(url).origin}`;
  throw new A2AError('UNAUTHENTICATED', `${who} does not offer ${wanted}; it offers ${offered}`);
}

/** An agent may name any server; a secret goes only to one that the user named, or to the agent's own origin. */
function checkSecret(
  { clientSecret, issuer: pinned }: OAuthOptions,
  { url }: CredentialRequest,
  issuer: string | undefined,
  { tokenUrl }: Endpoints,
): void {
  const { origin } = new URL(url);
  const isOwn = tokenUrl.origin === origin && (issuer === undefined || new URL(issuer).origin === origin);
  if (clientSecret === undefined || pinned !== undefined || isOwn) return;
  const advice = `set issuer: '${issuer ?? tokenUrl.origin}' if it is to have it`;
  throw new A2AError(
    'UNAUTHENTICATED',
    `The secret is not sent to ${tokenUrl.origin}, which only the agent names; ${advice}`,
  );
}

function kept({ accessToken, refreshToken, lifetime }: TokenResponse, timing: Timing) {
  return {
    accessToken,
    renewAt: renewalTime(timing.now(), lifetime),
    ...(refreshToken !== undefined && { refreshToken }),
  };
}
