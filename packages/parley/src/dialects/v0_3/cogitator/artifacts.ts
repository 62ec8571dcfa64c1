import type { Artifact as ModelArtifact, Part } from '../../../model/task.ts';
import type { Members } from '../../wire/members.ts';
import { encodePart, readPart } from './parts.ts';
import type { Artifact } from './types.ts';

export function encodeArtifact(artifact: ModelArtifact): Artifact {
  const wire: Artifact = { id: artifact.artifactId, parts: artifact.parts.map(encodePart) };
  const mimeType = sharedType(artifact.parts);
  if (mimeType) wire.mimeType = mimeType;
  if (artifact.name) wire.name = artifact.name;
  if (artifact.description) wire.description = artifact.description;
  if (artifact.metadata !== undefined) wire.metadata = artifact.metadata;
  if (artifact.extensions?.length) wire.extensions = [...artifact.extensions];
  return wire;
}

/** The type of the artifact is that of its parts which have none of their own. */
export function readArtifact(members: Members): ModelArtifact {
  const mediaType = members.text('mimeType');
  const parts = members.list('parts', undefined, readPart);
  return {
    artifactId: members.requiredText('id', 'artifactId'),
    parts: mediaType ? parts.map((part) => ({ ...part, mediaType: part.mediaType ?? mediaType })) : parts,
    name: members.text('name'),
    description: members.text('description'),
    extensions: members.texts('extensions'),
    metadata: members.struct('metadata'),
  };
}

/** The one type that all parts have; text alone cannot say it. */
function sharedType(parts: readonly Part[]): string | undefined {
  const [first] = parts;
  return parts.every((part) => part.mediaType === first?.mediaType) ? first?.mediaType : undefined;
}
