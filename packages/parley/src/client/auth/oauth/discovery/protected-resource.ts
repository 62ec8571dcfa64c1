import { A2AError, quoted } from '../../../../model/errors/errors.ts';
import { belongsTo, safeAddress } from '../addresses.ts';
import { getJson, type Requests } from '../requests.ts';

/** The metadata of an agent's server about the tokens that it takes (RFC 9728). */
interface ProtectedResource {
  /** The resource that tokens are for. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[];
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** A server that names more is not taken at its word. */
const MOST_SERVERS = 16;
const MOST_SCOPES = 100;

/**
 * The metadata of the agent at an address: where its challenge says, else in the well-known places. Undefined where there is
 * none. It is asked of the agent's own origin alone, and must be about the address that the token will go to.
 */
export async function findProtectedResource(
  agent: URL,
  named: string | undefined,
  near: boolean,
  requests: Requests,
): Promise<ProtectedResource | undefined> {
  if (named !== undefined) {
    const address = safeAddress(named, 'The address of the metadata in the challenge', near);
    if (address.origin !== agent.origin) {
      const problem = `${agent.origin} keeps the metadata of its tokens at another origin, ${address.origin}`;
      throw new A2AError('INVALID_RESPONSE', problem);
    }
    const found = await read(address, agent, requests);
    if (found) return found;
    throw new A2AError(
      'INVALID_RESPONSE',
      `There is no metadata at ${quoted(address.href)}, where the challenge leads`,
    );
  }
  for (const address of placesFor(agent)) {
    const found = await read(address, agent, requests);
    if (found) return found;
  }
  return undefined;
}

function placesFor(agent: URL): readonly URL[] {
  const path = agent.pathname.replace(/(?<!\/)\/+$/, '');
  const places = path === '' ? [WELL_KNOWN] : [`${WELL_KNOWN}${path}`, WELL_KNOWN];
  return places.map((place) => new URL(place, agent.origin));
}

async function read(address: URL, agent: URL, requests: Requests): Promise<ProtectedResource | undefined> {
  const { status, body } = await getJson(address, requests);
  if (status !== 200 || !body || typeof body.resource !== 'string') return undefined;
  const resource = URL.parse(body.resource);
  if (resource?.hash !== '' || !belongsTo(agent, resource)) {
    const problem = `The metadata of ${agent.origin} is about another resource, ${quoted(body.resource)}`;
    throw new A2AError('INVALID_RESPONSE', problem);
  }
  return {
    resource: body.resource,
    authorizationServers: texts(body.authorization_servers).slice(0, MOST_SERVERS),
    scopes: texts(body.scopes_supported).slice(0, MOST_SCOPES),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
