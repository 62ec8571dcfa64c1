import { A2AError, isA2AError } from '../../../model/errors/errors.ts';
import type { Timing } from '../../call/timing.ts';
import type { CredentialRequest } from '../../options.ts';
import { isLoopback, safeAddress } from './addresses.ts';
import { type Discovered, discover } from './discovery/discover.ts';
import { clientCredentialsFlow } from './flows/client-credentials.ts';
import type { Flow } from './flows/flow.ts';
import type { Grant } from './grants.ts';
import type { OAuthOptions } from './options.ts';
import type { Requests } from './requests.ts';
import type { AuthorizationServer, Endpoints } from './server.ts';
import { postAs } from './token-requests.ts';
import { readTokenResponse, renewalTime, type TokenResponse } from './tokens.ts';

interface Obtaining {
  readonly options: OAuthOptions;
  readonly timing: Timing;
}

/** The discovered server, with the resource that the options decide on. */
interface Target extends Omit<Discovered, 'resource'> {
  readonly resource: string | undefined;
}

/** The authorization server for a call, and what its tokens are for; undefined where there is no flow to ask it by. */
export async function discovered(request: CredentialRequest, { options }: Obtaining): Promise<Target | undefined> {
  if (flowsOf(options).length === 0) return undefined;
  const found = await discover(request, options.issuer, requestsOf(options));
  const resource = options.resource === false ? undefined : (options.resource ?? found.resource);
  return { ...found, resource };
}

/** A grant for what is asked for, by the first flow that the authorization server has; undefined where there is no flow. */
export async function obtain(
  request: CredentialRequest,
  scopes: readonly string[],
  context: Obtaining,
  found?: Target,
): Promise<Grant | undefined> {
  const { options, timing } = context;
  const target = found ?? (await discovered(request, context));
  if (!target) return undefined;
  const { clientId, signal } = options;
  const { server, resource } = target;
  const requests = requestsOf(options);
  const [flow, endpoints] = chosenFlow(flowsOf(options), server, request);
  checkSecret(options, request, server.issuer, endpoints);
  const isForPerson = flow.name !== 'clientCredentials';
  // A person who is asked for nothing in particular is asked for all that the agent takes, and so only once.
  const asked = isForPerson && scopes.length === 0 && !options.scopes ? target.scopes : scopes;
  const wanted = isForPerson && server.hasOfflineAccess ? [...new Set([...asked, 'offline_access'])] : asked;
  const body = await flow.run({
    endpoints,
    issuer: server.issuer,
    namesItself: server.namesItself,
    isNamedByUser: options.issuer !== undefined,
    clientId,
    scope: wanted.length > 0 ? { scope: wanted.join(' ') } : {},
    resource: resource === undefined ? {} : { resource },
    near: isLoopback(endpoints.tokenUrl),
    post: (url, form) => postAs(clientOf(options), url, form, server.takesSecretInForm, requests),
    timing,
    signal,
  });
  const tokenUrl = endpoints.tokenUrl.href;
  const granted = readTokenResponse(body, endpoints.tokenUrl.origin);
  const issuer = server.issuer ?? tokenUrl;
  return { issuer, tokenUrl, clientId, resource, scopes: asked, ...kept(granted, timing) };
}

/** The same grant with a new token (RFC 6749 §6); undefined where a person, or the client's secret, is needed again. */
export async function renew(
  grant: Grant,
  agentUrl: string,
  { options, timing }: Obtaining,
): Promise<Grant | undefined> {
  const { refreshToken, resource } = grant;
  if (refreshToken === undefined) return undefined;
  const url = safeAddress(
    grant.tokenUrl,
    'The address for tokens',
    isLoopback(new URL(agentUrl)) || options.issuer !== undefined,
  );
  checkSecret(options, { url: agentUrl }, grant.issuer, { tokenUrl: url });
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
  server: AuthorizationServer,
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
  { url }: Pick<CredentialRequest, 'url'>,
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
