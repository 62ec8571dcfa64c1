import type { JsonObject } from '../../model/json.ts';
import type { Artifact } from '../../model/task.ts';
import type { Members } from '../wire/members.ts';
import { encodePart, readPart, type WirePart } from './parts.ts';

export interface WireArtifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: WirePart[];
  metadata?: JsonObject;
  extensions?: readonly string[];
}

/** Stands in for an artifact that could not be read. */
export const NO_ARTIFACT: Artifact = { artifactId: '', parts: [] };

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

export function readArtifact(members: Members): Artifact {
  return {
    artifactId: members.requiredText('artifactId'),
    parts: members.list('parts', undefined, readPart),
    name: members.text('name'),
    description: members.text('description'),
    extensions: members.texts('extensions'),
    metadata: members.struct('metadata'),
  };
}
