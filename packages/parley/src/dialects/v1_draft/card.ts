import type { JsonObject } from '../../model/basics/json.ts';
import type { AgentCapabilities, AgentCard, AgentExtension, AgentInterface } from '../../model/card.ts';
import { encodeCard as encodeOfficialCard, type WireCard as WireOfficialCard } from '../v1_0/card.ts';

interface WireInterface {
  url: string;
  protocolBinding: string;
}

interface WireExtension {
  uri: string;
  required: boolean;
  description?: string;
  params?: JsonObject;
}

interface WireCapabilities {
  streaming: boolean;
  pushNotifications: boolean;
  extendedAgentCard: boolean;
  extensions?: WireExtension[];
}

interface WireCard extends Omit<WireOfficialCard, 'supportedInterfaces' | 'capabilities'> {
  protocolVersions: readonly string[];
  supportedInterfaces: WireInterface[];
  capabilities: WireCapabilities;
}

/** The card of 1.0, but that the versions are those of the card instead of one for each interface. */
export function encodeCard(card: AgentCard): WireCard {
  const { name, description, version, ...rest } = encodeOfficialCard(card);
  return {
    protocolVersions: [...new Set(card.interfaces.map(({ protocolVersion }) => protocolVersion))],
    name,
    description,
    version,
    ...rest,
    supportedInterfaces: card.interfaces.map(encodeInterface),
    capabilities: encodeCapabilities(card.capabilities),
  };
}

/** The document's names of bindings: JSONRPC and gRPC. */
function encodeInterface({ url, protocolBinding }: AgentInterface): WireInterface {
  return { url, protocolBinding: protocolBinding === 'GRPC' ? 'gRPC' : protocolBinding };
}

function encodeCapabilities(capabilities: AgentCapabilities): WireCapabilities {
  const { streaming, pushNotifications, extendedAgentCard, extensions } = capabilities;
  const wire: WireCapabilities = { streaming, pushNotifications, extendedAgentCard };
  if (extensions.length > 0) wire.extensions = extensions.map(encodeExtension);
  return wire;
}

/** `required` is always written, as in the document. */
function encodeExtension({ uri, required = false, description, params }: AgentExtension): WireExtension {
  const wire: WireExtension = { uri, required };
  if (description) wire.description = description;
  if (params !== undefined && Object.keys(params).length > 0) wire.params = params;
  return wire;
}
