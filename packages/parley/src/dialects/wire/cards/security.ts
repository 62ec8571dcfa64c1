import type {
  AgentCard,
  OAuthFlow,
  OAuthFlowName,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from '../../../model/card.ts';
import type { Members } from '../members.ts';
import { SNAKE } from '../snake-case.ts';
import { fieldsOf, object, optionalFlag, requiredText, text } from './fields.ts';

/** The order in which one flow is chosen where only one has room (reference: mapping §9). */
const FLOW_NAMES: readonly OAuthFlowName[] = [
  'authorizationCode',
  'clientCredentials',
  'deviceCode',
  'implicit',
  'password',
];

/**
 * The schemes of a card, in the shape of either version: cards that are merged have both, and a server of one version
 * may answer with the shape of the other (reference: mapping §1; v03 §8).
 */
export function readSchemes(members: Members): AgentCard['securitySchemes'] {
  return members.map('securitySchemes', SNAKE, readScheme);
}

/** The requirements of a card or of a skill; an empty list demands nothing. */
export function readRequirements(members: Members): readonly SecurityRequirement[] | undefined {
  const newer = members.list('securityRequirements', SNAKE, readRequirement);
  const found = newer.length > 0 ? newer : members.list('security', undefined, readRequirement);
  return found.length > 0 ? found : undefined;
}

/** The types of schemes, as 0.3 names them, and the members in which 1.0 has them. */
const SCHEMES = [
  ['apiKey', 'apiKey'],
  ['http', 'httpAuth'],
  ['oauth2', 'oauth2'],
  ['openIdConnect', 'openIdConnect'],
  ['mutualTLS', 'mtls'],
] as const;

type SchemeType = (typeof SCHEMES)[number][0];

/** The one member of 1.0 is clearer than `type`, so it is looked for first. */
function readScheme(members: Members): SecurityScheme | undefined {
  for (const [type, prefix] of SCHEMES) {
    const name = `${prefix}SecurityScheme`;
    if (members.value(name, SNAKE) !== undefined)
      return members.object(name, SNAKE, (inner) => readSchemeOf(type, inner, 'location'));
  }
  const type = members.value('type');
  const known = SCHEMES.find(([name]) => name === type);
  if (known) return readSchemeOf(known[0], members, 'in');
  members.reject('type', `must be one of ${SCHEMES.map(([name]) => name).join(', ')}`);
  return undefined;
}

const LOCATIONS = ['header', 'query', 'cookie'] as const;

/** @param place the member that says where a key goes */
function readSchemeOf(type: SchemeType, members: Members, place: string): SecurityScheme | undefined {
  const description = members.text('description');
  switch (type) {
    case 'apiKey': {
      const given = members.value(place);
      const location = LOCATIONS.find((known) => known === given);
      if (location === undefined) members.reject(place, `must be one of ${LOCATIONS.join(', ')}`);
      const name = members.requiredText('name');
      return location && name ? { type, in: location, name, description } : undefined;
    }
    case 'http': {
      const scheme = members.requiredText('scheme');
      return scheme ? { type, scheme, bearerFormat: text(members, 'bearerFormat'), description } : undefined;
    }
    case 'oauth2': {
      const flows = members.requiredObject('flows', undefined, readFlows, {});
      return { type, flows, oauth2MetadataUrl: text(members, 'oauth2MetadataUrl'), description };
    }
    case 'openIdConnect': {
      const openIdConnectUrl = requiredText(members, 'openIdConnectUrl');
      return openIdConnectUrl ? { type, openIdConnectUrl, description } : undefined;
    }
    case 'mutualTLS':
      return { type, description };
  }
}

const readFlow = object(
  fieldsOf<OAuthFlow>({
    authorizationUrl: text,
    tokenUrl: text,
    deviceAuthorizationUrl: text,
    refreshUrl: text,
    pkceRequired: optionalFlag,
    scopes: (members, name) => members.object(name, undefined, readScopes) ?? {},
  }),
);

function readFlows(members: Members): OAuthFlows {
  const flows = FLOW_NAMES.map((name) => [name, readFlow(members, name)] as const);
  return Object.fromEntries(flows.filter(([, flow]) => flow));
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
