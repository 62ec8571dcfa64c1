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
  const wire: WireArtifact = { artifactId: artifact.artifactId, parts: artifact.parts.map(encodePart) };
  if (artifact.name) wire.name = artifact.name;
  if (artifact.description) wire.description = artifact.description;
  if (artifact.metadata !== undefined) wire.metadata = artifact.metadata;
  if (artifact.extensions?.length) wire.extensions = artifact.extensions;
  return wire;
}
