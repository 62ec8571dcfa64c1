import type {
  AgentCard,
  OAuthFlow,
  OAuthFlowName,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from '../../../model/card.ts';
import type { Members, OneofMember, Read } from '../members.ts';

/** The order in which one flow is chosen where only one has room (reference: mapping §9). */
const FLOW_NAMES: readonly OAuthFlowName[] = [
  'authorizationCode',
  'clientCredentials',
  'deviceCode',
  'implicit',
  'password',
];

export type SecurityMembers = Pick<AgentCard, 'securitySchemes' | 'security'>;

/**
 * The security of a card, in the shape of either version: cards that are merged have both, and a server of one version
 * may answer with the shape of the other (reference: mapping §1; v03 §8).
 */
export function readSecurity(members: Members): SecurityMembers {
  return {
    securitySchemes: members.map('securitySchemes', 'security_schemes', readScheme),
    security: readRequirements(members),
  };
}

/** The requirements of a card or of a skill; an empty list demands nothing. */
export function readRequirements(members: Members): readonly SecurityRequirement[] | undefined {
  const newer = members.list('securityRequirements', 'security_requirements', readRequirement);
  const found = newer.length > 0 ? newer : members.list('security', undefined, readRequirement);
  return found.length > 0 ? found : undefined;
}

const SCHEMES: readonly OneofMember<
  | 'apiKeySecurityScheme'
  | 'httpAuthSecurityScheme'
  | 'oauth2SecurityScheme'
  | 'openIdConnectSecurityScheme'
  | 'mtlsSecurityScheme'
>[] = [
  { name: 'apiKeySecurityScheme', snakeName: 'api_key_security_scheme' },
  { name: 'httpAuthSecurityScheme', snakeName: 'http_auth_security_scheme' },
  { name: 'oauth2SecurityScheme', snakeName: 'oauth2_security_scheme' },
  { name: 'openIdConnectSecurityScheme', snakeName: 'open_id_connect_security_scheme' },
  { name: 'mtlsSecurityScheme', snakeName: 'mtls_security_scheme' },
];

/** The one member of 1.0 is clearer than `type`, so it is looked for first. */
function readScheme(members: Members): SecurityScheme | undefined {
  for (const { name, snakeName } of SCHEMES) {
    if (members.value(name, snakeName) !== undefined) return members.object(name, snakeName, BY_MEMBER[name]);
  }
  return readByType(members);
}

const BY_MEMBER: Readonly<Record<(typeof SCHEMES)[number]['name'], Read<SecurityScheme | undefined>>> = {
  apiKeySecurityScheme: (members) => readApiKey(members, 'location'),
  httpAuthSecurityScheme: readHttpAuth,
  oauth2SecurityScheme: readOAuth2,
  openIdConnectSecurityScheme: readOpenIdConnect,
  mtlsSecurityScheme: readMutualTls,
};

function readByType(members: Members): SecurityScheme | undefined {
  const type = members.value('type');
  switch (type) {
    case 'apiKey':
      return readApiKey(members, 'in');
    case 'http':
      return readHttpAuth(members);
    case 'oauth2':
      return readOAuth2(members);
    case 'openIdConnect':
      return readOpenIdConnect(members);
    case 'mutualTLS':
      return readMutualTls(members);
    default:
      members.reject('type', 'must be one of apiKey, http, oauth2, openIdConnect, mutualTLS');
      return undefined;
  }
}

const LOCATIONS = ['header', 'query', 'cookie'] as const;

function readApiKey(members: Members, memberName: string): SecurityScheme | undefined {
  const given = members.value(memberName);
  const location = LOCATIONS.find((known) => known === given);
  if (location === undefined) members.reject(memberName, `must be one of ${LOCATIONS.join(', ')}`);
  const name = members.requiredText('name');
  if (location === undefined || name === '') return undefined;
  return { type: 'apiKey', in: location, name, description: members.text('description') };
}

function readHttpAuth(members: Members): SecurityScheme | undefined {
  const scheme = members.requiredText('scheme');
  if (scheme === '') return undefined;
  const bearerFormat = members.text('bearerFormat', 'bearer_format');
  return { type: 'http', scheme, bearerFormat, description: members.text('description') };
}

function readOAuth2(members: Members): SecurityScheme {
  return {
    type: 'oauth2',
    flows: members.requiredObject('flows', undefined, readFlows, {}),
    oauth2MetadataUrl: members.text('oauth2MetadataUrl', 'oauth2_metadata_url'),
    description: members.text('description'),
  };
}

function readOpenIdConnect(members: Members): SecurityScheme | undefined {
  const openIdConnectUrl = members.requiredText('openIdConnectUrl', 'open_id_connect_url');
  if (openIdConnectUrl === '') return undefined;
  return { type: 'openIdConnect', openIdConnectUrl, description: members.text('description') };
}

function readMutualTls(members: Members): SecurityScheme {
  return { type: 'mutualTLS', description: members.text('description') };
}

function readFlows(members: Members): OAuthFlows {
  const flows: Partial<Record<OAuthFlowName, OAuthFlow>> = {};
  for (const name of FLOW_NAMES) {
    const flow = members.object(name, toSnakeCase(name), readFlow);
    if (flow !== undefined) flows[name] = flow;
  }
  return flows;
}

function readFlow(members: Members): OAuthFlow {
  return {
    authorizationUrl: members.text('authorizationUrl', 'authorization_url'),
    tokenUrl: members.text('tokenUrl', 'token_url'),
    deviceAuthorizationUrl: members.text('deviceAuthorizationUrl', 'device_authorization_url'),
    refreshUrl: members.text('refreshUrl', 'refresh_url'),
    pkceRequired: members.flag('pkceRequired', 'pkce_required') || undefined,
    scopes: members.object('scopes', undefined, readScopes) ?? {},
  };
}

function readScopes(members: Members): Readonly<Record<string, string>> {
  return Object.fromEntries(members.names().map((name) => [name, members.string(name) ?? '']));
}

/** `{"schemes": {"name": {"list": [...]}}}` in 1.0, `{"name": [...]}` in 0.3. */
function readRequirement(members: Members): SecurityRequirement {
  const schemes = members.value('schemes');
  if (schemes !== undefined && !Array.isArray(schemes)) {
    return members.object('schemes', undefined, (named) => named.entries(readScopeList)) ?? {};
  }
  return Object.fromEntries(members.names().map((name) => [name, members.texts(name) ?? []]));
}

function readScopeList(members: Members): readonly string[] {
  return members.texts('list') ?? [];
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The flow that stands for all of them where there is room for one. */
export function preferredFlow(flows: OAuthFlows): OAuthFlows {
  const [first] = flowsOf(flows);
  return first === undefined ? {} : { [first[0]]: first[1] };
}

/** The flows that are set, the preferred one first. */
export function flowsOf(flows: OAuthFlows): readonly (readonly [OAuthFlowName, OAuthFlow])[] {
  return FLOW_NAMES.flatMap((name) => {
    const flow = flows[name];
    return flow === undefined ? [] : [[name, flow] as const];
  });
}

const FLOW_MEMBERS: Readonly<Record<OAuthFlowName, readonly (keyof OAuthFlow)[]>> = {
  authorizationCode: ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'pkceRequired'],
  clientCredentials: ['tokenUrl', 'refreshUrl'],
  deviceCode: ['deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl'],
  implicit: ['authorizationUrl', 'refreshUrl'],
  password: ['tokenUrl', 'refreshUrl'],
};

/** The members of such a flow that are set, without those that a version does not know. */
export function encodeFlow(
  name: OAuthFlowName,
  flow: OAuthFlow,
  unknown: readonly (keyof OAuthFlow)[] = [],
): OAuthFlow {
  const known = FLOW_MEMBERS[name].filter((member) => flow[member] && !unknown.includes(member));
  return { ...Object.fromEntries(known.map((member) => [member, flow[member]])), scopes: flow.scopes };
}
