import type { JsonObject } from '../../../model/basics/json.ts';
import type { Artifact } from '../../../model/task.ts';
import { encodePart, type WirePart } from './parts.ts';

export interface WireArtifact {
  artifactId: string;
  parts: WirePart[];
  name?: string;
  description?: string;
  metadata?: JsonObject;
  extensions?: readonly string[];
}

export function encodeArtifact(artifact: Artifact): WireArtifact {
  const wire: WireArtifact = { artifactId: artifact.artifactId, parts: artifact.parts.map(encodePart) };
  return withDescription(wire, artifact);
}

/** Adds what an artifact may have beside its parts, in both JSON forms. */
export function withDescription<Wire extends Omit<WireArtifact, 'parts'>>(wire: Wire, artifact: Artifact): Wire {
  if (artifact.name) wire.name = artifact.name;
  if (artifact.description) wire.description = artifact.description;
  if (artifact.metadata !== undefined) wire.metadata = artifact.metadata;
  if (artifact.extensions?.length) wire.extensions = artifact.extensions;
  return wire;
}
