import type { SecurityScheme } from './security.ts';

export type TransportProtocol = 'JSONRPC' | 'GRPC' | 'HTTP+JSON';

/** One of the three, or another that both sides know. */
type Transport = TransportProtocol | (string & {});

/** Any of the sets of schemes will do; of one set, all are needed. */
type Security = Record<string, string[]>[];

export interface AgentInterface {
  url: string;
  transport: Transport;
}

export interface AgentProvider {
  organization: string;
  url: string;
}

export interface AgentExtension {
  uri: string;
  description?: string;
  required?: boolean;
  params?: Record<string, unknown>;
}

export interface AgentCapabilities {
  streaming?: boolean;
  pushNotifications?: boolean;
  stateTransitionHistory?: boolean;
  extensions?: AgentExtension[];
}

export interface AgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
  inputModes?: string[];
  outputModes?: string[];
  security?: Security;
}

/** A JWS of the card. */
export interface AgentCardSignature {
  /** Base64url. */
  protected: string;
  /** Base64url. */
  signature: string;
  header?: Record<string, unknown>;
}

export interface AgentCard {
  /** Such as `0.3.0`. */
  protocolVersion: string;
  name: string;
  description: string;
  /** The address for `preferredTransport`. */
  url: string;
  /** Default `JSONRPC`. */
  preferredTransport?: Transport;
  additionalInterfaces?: AgentInterface[];
  iconUrl?: string;
  provider?: AgentProvider;
  /** The agent's own. */
  version: string;
  documentationUrl?: string;
  capabilities: AgentCapabilities;
  securitySchemes?: Record<string, SecurityScheme>;
  security?: Security;
  /** Media types. */
  defaultInputModes: string[];
  /** Media types. */
  defaultOutputModes: string[];
  skills: AgentSkill[];
  supportsAuthenticatedExtendedCard?: boolean;
  signatures?: AgentCardSignature[];
}
