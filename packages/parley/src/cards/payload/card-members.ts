/**
 * The way of one member into the payload that is signed (reference: v1-agent-card §6.2). `kept`: it stays whatever it holds,
 * being required or having presence; others are dropped where they hold their default.
 */
export interface MemberRule {
  readonly kept: boolean;
  readonly holds: 'value' | 'opaque' | 'message' | 'list' | 'map';
  /** The members of the messages in it. */
  readonly members?: MessageRules | undefined;
}

/** The known members of a message. */
export type MessageRules = Readonly<Record<string, MemberRule>>;

const KEPT: MemberRule = { kept: true, holds: 'value' };
const DROPPED: MemberRule = { kept: false, holds: 'value' };

const message = (members: MessageRules): MemberRule => ({ kept: true, holds: 'message', members });
const list = (members: MessageRules, kept = false): MemberRule => ({ kept, holds: 'list', members });
const map = (members: MessageRules): MemberRule => ({ kept: false, holds: 'map', members });

const REQUIREMENTS = list({ schemes: map({ list: DROPPED }) });

const FLOWS: MessageRules = {
  authorizationCode: message({
    authorizationUrl: KEPT,
    tokenUrl: KEPT,
    scopes: KEPT,
    refreshUrl: DROPPED,
    pkceRequired: DROPPED,
  }),
  clientCredentials: message({ tokenUrl: KEPT, scopes: KEPT, refreshUrl: DROPPED }),
  deviceCode: message({ deviceAuthorizationUrl: KEPT, tokenUrl: KEPT, scopes: KEPT, refreshUrl: DROPPED }),
  implicit: message({ authorizationUrl: DROPPED, refreshUrl: DROPPED, scopes: DROPPED }),
  password: message({ tokenUrl: DROPPED, refreshUrl: DROPPED, scopes: DROPPED }),
};

const SCHEME: MessageRules = {
  apiKeySecurityScheme: message({ location: KEPT, name: KEPT, description: DROPPED }),
  httpAuthSecurityScheme: message({ scheme: KEPT, description: DROPPED, bearerFormat: DROPPED }),
  oauth2SecurityScheme: message({ flows: message(FLOWS), description: DROPPED, oauth2MetadataUrl: DROPPED }),
  openIdConnectSecurityScheme: message({ openIdConnectUrl: KEPT, description: DROPPED }),
  mtlsSecurityScheme: message({ description: DROPPED }),
};

const EXTENSION: MessageRules = {
  uri: DROPPED,
  description: DROPPED,
  required: DROPPED,
  params: { kept: true, holds: 'opaque' },
};

const SKILL: MessageRules = {
  id: KEPT,
  name: KEPT,
  description: KEPT,
  tags: KEPT,
  examples: DROPPED,
  inputModes: DROPPED,
  outputModes: DROPPED,
  securityRequirements: REQUIREMENTS,
};

/** The members of a card of 1.0, but for its signatures. */
export const CARD_MEMBERS: MessageRules = {
  name: KEPT,
  description: KEPT,
  version: KEPT,
  supportedInterfaces: list({ url: KEPT, protocolBinding: KEPT, protocolVersion: KEPT, tenant: DROPPED }, true),
  capabilities: message({
    streaming: KEPT,
    pushNotifications: KEPT,
    extendedAgentCard: KEPT,
    extensions: list(EXTENSION),
  }),
  defaultInputModes: KEPT,
  defaultOutputModes: KEPT,
  skills: list(SKILL, true),
  documentationUrl: KEPT,
  iconUrl: KEPT,
  provider: message({ url: KEPT, organization: KEPT }),
  securitySchemes: map(SCHEME),
  securityRequirements: REQUIREMENTS,
};
