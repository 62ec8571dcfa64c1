import type { JsonObject } from '../../../../model/basics/json.ts';
import { A2AError, quoted } from '../../../../model/errors/errors.ts';
import { safeAddress } from '../addresses.ts';
import { getJson, type Requests } from '../requests.ts';
import type { AuthorizationServer, Endpoints, FlowName } from '../server.ts';

const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

/** The metadata of an issuer (RFC 8414 §3, OpenID Connect Discovery §4). */
export async function findIssuer(issuer: string, near: boolean, requests: Requests): Promise<AuthorizationServer> {
  const address = safeAddress(issuer, 'The authorization server', near);
  for (const place of placesFor(address)) {
    const { status, body } = await getJson(place, requests);
    if (status !== 200 || !body) continue;
    // A server that speaks for another one would get what is meant for it (RFC 8414 §3.3).
    if (body.issuer !== issuer) throw misnamed(place, issuer, body.issuer);
    return readMetadata(body, issuer, near);
  }
  throw new A2AError('INVALID_RESPONSE', `${quoted(issuer)} has no metadata of an authorization server`);
}

/** The metadata at an address on the card; its issuer must be one whose metadata is there. */
export async function findIssuerAt(
  metadataUrl: string,
  near: boolean,
  requests: Requests,
): Promise<AuthorizationServer> {
  const address = safeAddress(metadataUrl, "The card's address of an authorization server", near);
  const { status, body } = await getJson(address, requests);
  if (status !== 200 || !body) {
    throw new A2AError('INVALID_RESPONSE', `There is no metadata at ${quoted(address.href)}: status ${status}`);
  }
  const issuer = body.issuer;
  const own = safeAddress(issuer, 'The issuer', near);
  const isItsPlace = placesFor(own).some(({ href }) => href === address.href);
  if (typeof issuer !== 'string' || !isItsPlace) throw misnamed(address, 'the server at this address', issuer);
  return readMetadata(body, issuer, near);
}

/** In the order of preference; the last one is how OpenID Connect treats issuers with a path. */
function placesFor(issuer: URL): readonly URL[] {
  const path = issuer.pathname.replace(/(?<!\/)\/+$/, '');
  const places = [`${OAUTH}${path}`, `${OPENID}${path}`, `${path}${OPENID}`];
  return [...new Set(places)].map((place) => new URL(place, issuer.origin));
}

function readMetadata(body: JsonObject, issuer: string, near: boolean): AuthorizationServer {
  const address = (name: string) =>
    body[name] === undefined ? undefined : safeAddress(body[name], `${name} of ${issuer}`, near);
  const tokenUrl = address('token_endpoint');
  if (!tokenUrl) throw new A2AError('INVALID_RESPONSE', `${quoted(issuer)} has no address for tokens`);
  const authorizationUrl = address('authorization_endpoint');
  const deviceUrl = address('device_authorization_endpoint');
  const endpoints: Partial<Record<FlowName, Endpoints>> = { clientCredentials: { tokenUrl } };
  if (deviceUrl) endpoints.deviceCode = { tokenUrl, deviceUrl };
  if (authorizationUrl && mayDo(body.code_challenge_methods_supported, 'S256')) {
    endpoints.authorizationCode = { tokenUrl, authorizationUrl };
  }
  const methods = body.token_endpoint_auth_methods_supported;
  return {
    issuer,
    endpoints,
    namesItself: body.authorization_response_iss_parameter_supported === true,
    takesSecretInForm: !mayDo(methods, 'client_secret_basic') && mayDo(methods, 'client_secret_post'),
    hasOfflineAccess: Array.isArray(body.scopes_supported) && body.scopes_supported.includes('offline_access'),
  };
}

/** A list that is left out rules nothing out. */
function mayDo(list: unknown, name: string): boolean {
  return !Array.isArray(list) || list.includes(name);
}

function misnamed(place: URL, expected: string, named: unknown): A2AError {
  const problem = `The metadata at ${place.origin} is that of another issuer: ${quoted(String(named))}, not ${quoted(expected)}`;
  return new A2AError('INVALID_RESPONSE', problem);
}
