import type { JsonObject } from '../../model/basics/json.ts';
import type { Artifact } from '../../model/task.ts';
import { encodePart, type WirePart } from './parts.ts';

export interface WireArtifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: WirePart[];
  metadata?: JsonObject;
  extensions?: readonly string[];
}

export function encodeArtifact(artifact: Artifact): WireArtifact {
  const { artifactId, name, description, metadata, extensions } = artifact;
  const wire: WireArtifact = {
    artifactId,
    ...(name && { name }),
    ...(description && { description }),
    parts: artifact.parts.map(encodePart),
  };
  if (metadata !== undefined) wire.metadata = metadata;
  if (extensions?.length) wire.extensions = extensions;
  return wire;
}
