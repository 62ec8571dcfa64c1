import type { JsonObject } from './basics/json.ts';

/** Resumable streams and idempotent sends. */
export const RESUME_EXTENSION = 'urn:parley:ext:resume:v1';

export interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: string;
  /** Major.Minor, e.g. `1.0`. */
  readonly protocolVersion: string;
  readonly tenant?: string | undefined;
  /** Beside the others, for those who know it: cards that are in an order of preference leave it out. */
  readonly isSecondary?: boolean | undefined;
}

export interface AgentProvider {
  readonly organization: string;
  readonly url: string;
  /** Only cards of the seed S3 have it. */
  readonly contactEmail?: string | undefined;
}

export interface AgentExtension {
  /** The name of the extension, with its version in it. */
  readonly uri: string;
  /** A sentence for the card that says what the extension adds. */
  readonly description?: string | undefined;
  /** `true` refuses sends that do not name the extension. */
  readonly required?: boolean | undefined;
  /** Settings of the extension that clients read from the card. */
  readonly params?: JsonObject | undefined;
}

export interface AgentCapabilities {
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  readonly extensions: readonly AgentExtension[];
}

export interface ApiKeyScheme {
  readonly type: 'apiKey';
  readonly in: 'header' | 'query' | 'cookie';
  /** The name of the header, query parameter or cookie. */
  readonly name: string;
  readonly description?: string | undefined;
}

/** Credentials in `Authorization`, e.g. `Bearer` or `Basic`. */
interface HttpAuthScheme {
  readonly type: 'http';
  readonly scheme: string;
  readonly bearerFormat?: string | undefined;
  readonly description?: string | undefined;
}

interface OAuth2Scheme {
  readonly type: 'oauth2';
  readonly flows: OAuthFlows;
  readonly oauth2MetadataUrl?: string | undefined;
  readonly description?: string | undefined;
}

interface OpenIdConnectScheme {
  readonly type: 'openIdConnect';
  readonly openIdConnectUrl: string;
  readonly description?: string | undefined;
}

interface MutualTlsScheme {
  readonly type: 'mutualTLS';
  readonly description?: string | undefined;
}

/** A way to authenticate, as OpenAPI writes them. */
export type SecurityScheme = ApiKeyScheme | HttpAuthScheme | OAuth2Scheme | OpenIdConnectScheme | MutualTlsScheme;

/** A flow's addresses and its scopes with their descriptions. Which addresses it has depends on the flow. */
export interface OAuthFlow {
  readonly scopes: Readonly<Record<string, string>>;
  readonly authorizationUrl?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly deviceAuthorizationUrl?: string | undefined;
  readonly refreshUrl?: string | undefined;
  readonly pkceRequired?: boolean | undefined;
}

export type OAuthFlowName = 'authorizationCode' | 'clientCredentials' | 'deviceCode' | 'implicit' | 'password';
export type OAuthFlows = Readonly<Partial<Record<OAuthFlowName, OAuthFlow | undefined>>>;

/** Schemes that are needed together, by name, each with the scopes that it must grant. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Something to say to the agent, and what it answers. */
export interface SkillExample {
  readonly input: string;
  readonly output: string;
}

/** The input of an example; only cards of JAF have a place for its output. */
export function exampleInput(example: string | SkillExample): string {
  return typeof example === 'string' ? example : example.input;
}

/** So many requests in so many seconds, and so many at once beyond that. */
export interface CardRateLimit {
  readonly requests: number;
  readonly window: number;
  readonly burst?: number | undefined;
}

export interface AgentSkill {
  /** The id by which callers choose the skill. */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  /** A sentence for people and models that says what the skill does. */
  readonly description: string;
  /** Words by which people and models find the skill. */
  readonly tags: readonly string[];
  /** Example messages for the skill: texts, or `{ input, output }`. */
  readonly examples?: readonly (string | SkillExample)[] | undefined;
  /** Media types that messages may have. Default: those of the agent. */
  readonly inputModes?: readonly string[] | undefined;
  /** Media types of the results. Default: those of the agent. */
  readonly outputModes?: readonly string[] | undefined;
  /** JSON Schema of the input, for cards of `parley-a2a/compat`. Parley does not check input against it. */
  readonly inputSchema?: JsonObject | undefined;
  /** Security alternatives that this skill needs beside those of the card; one of them is enough. */
  readonly security?: readonly SecurityRequirement[] | undefined;
}

/** A JWS over a card, without its payload (reference: v1-agent-card §6.1). */
export interface AgentCardSignature {
  readonly protected: string;
  readonly signature: string;
  readonly header?: Readonly<Record<string, unknown>> | undefined;
}

/** An agent's manifest, free of any version's shape. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly interfaces: readonly AgentInterface[];
  readonly capabilities: AgentCapabilities;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly provider?: AgentProvider | undefined;
  readonly documentationUrl?: string | undefined;
  readonly iconUrl?: string | undefined;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> | undefined;
  /** Any one of them is enough. */
  readonly security?: readonly SecurityRequirement[] | undefined;
  /** Over the card of 1.0 alone; see `parley-a2a/cards`. */
  readonly signatures?: readonly AgentCardSignature[] | undefined;
  /** Only cards of JAF have room for it. */
  readonly rateLimit?: CardRateLimit | undefined;
}
