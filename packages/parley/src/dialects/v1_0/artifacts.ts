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
  const wire: WireArtifact = { artifactId: artifact.artifactId, parts: artifact.parts.map(encodePart) };
  if (artifact.name) wire.name = artifact.name;
  if (artifact.description) wire.description = artifact.description;
  if (artifact.metadata !== undefined) wire.metadata = artifact.metadata;
  if (artifact.extensions?.length) wire.extensions = artifact.extensions;
  return wire;
}

/** Deployed agents end an artifact with a chunk without parts: it is taken, though the protocol wants one. */
export function readArtifact(members: Members): Artifact {
  return {
    artifactId: members.requiredText('artifactId', 'artifact_id'),
    parts: members.list('parts', undefined, readPart),
    name: members.text('name'),
    description: members.text('description'),
    extensions: members.texts('extensions'),
    metadata: members.struct('metadata'),
  };
}
