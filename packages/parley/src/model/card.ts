import type { JsonObject } from './json.ts';

/** The names that cards use for bindings. */
export type BindingName = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

export interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: string;
  /** Major.Minor, e.g. `1.0`. */
  readonly protocolVersion: string;
  readonly tenant?: string | undefined;
}

export interface AgentProvider {
  readonly organization: string;
  readonly url: string;
}

export interface AgentExtension {
  readonly uri: string;
  readonly description?: string | undefined;
  /** `true`: sends that do not name it are refused. */
  readonly required?: boolean | undefined;
  readonly params?: JsonObject | undefined;
}

export interface AgentCapabilities {
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  readonly extensions: readonly AgentExtension[];
}

export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[] | undefined;
  readonly inputModes?: readonly string[] | undefined;
  readonly outputModes?: readonly string[] | undefined;
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
}
