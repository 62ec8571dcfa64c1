import type { SecurityScheme } from '../../../../model/card.ts';
import { A2AError, quoted } from '../../../../model/errors/errors.ts';
import type { Awaitable, CredentialRequest } from '../../../options.ts';
import { agentAddress, isLoopback } from '../addresses.ts';
import { bearerChallenge } from '../challenge.ts';
import type { Requests } from '../requests.ts';
import type { AuthorizationServer } from '../server.ts';
import { serverOfCard } from './card-flows.ts';
import { findIssuer, findIssuerAt } from './issuer-metadata.ts';
import { findProtectedResource } from './protected-resource.ts';

/** The server that issues a token, and the resource that it is for. */
export interface Discovered {
  readonly server: AuthorizationServer;
  readonly resource: string;
  /** The scopes that the agent's server takes, where it lists them. */
  readonly scopes: readonly string[];
}

/**
 * Finds the authorization server of an agent: the one that its server names (RFC 9728), else the one on its card. With
 * `pinned` it must be that issuer.
 */
export async function discover(
  request: Pick<CredentialRequest, 'url' | 'scheme' | 'challenge'>,
  pinned: string | undefined,
  requests: Requests,
): Promise<Discovered> {
  const agent = agentAddress(request.url);
  const near = isLoopback(agent);
  const { resourceMetadata } = bearerChallenge(request.challenge ?? '');
  const found = await findProtectedResource(agent, resourceMetadata, near, requests);
  const named = found?.authorizationServers ?? [];
  if (pinned !== undefined && named.length > 0 && !named.includes(pinned)) {
    const others = named.map(quoted).join(', ');
    throw new A2AError('UNAUTHENTICATED', `${agent.origin} takes no tokens of ${pinned}; it names ${others}`);
  }
  const server = await serverFor(request.scheme, pinned ?? named[0], near || pinned !== undefined, requests);
  if (server) return { server, resource: found?.resource ?? agent.origin, scopes: found?.scopes ?? [] };
  const advice = 'it names none in its metadata or on its card; set issuer';
  throw new A2AError('UNAUTHENTICATED', `Nobody is known who gives tokens for ${agent.origin}: ${advice}`);
}

function serverFor(
  scheme: SecurityScheme,
  issuer: string | undefined,
  near: boolean,
  requests: Requests,
): Awaitable<AuthorizationServer | undefined> {
  if (issuer !== undefined) return findIssuer(issuer, near, requests);
  if (scheme.type === 'openIdConnect') return findIssuerAt(scheme.openIdConnectUrl, near, requests);
  if (scheme.type === 'oauth2' && scheme.oauth2MetadataUrl) {
    return findIssuerAt(scheme.oauth2MetadataUrl, near, requests);
  }
  return serverOfCard(scheme, near);
}
