import type { Artifact } from './task.ts';

type ArtifactHead = Omit<Artifact, 'parts'>;

/** What a chunk says beside its parts is added to what is known of its artifact. */
export function amended(known: ArtifactHead, more: ArtifactHead): ArtifactHead {
  const { name, description, extensions, metadata } = more;
  if (!name && !description && !extensions && !metadata) return known;
  return {
    ...known,
    ...(name && { name }),
    ...(description && { description }),
    ...(extensions && { extensions }),
    ...(metadata && { metadata: { ...known.metadata, ...metadata } }),
  };
}
