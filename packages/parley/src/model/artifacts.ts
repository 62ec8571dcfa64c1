import type { Artifact } from './task.ts';

type ArtifactHead = Omit<Artifact, 'parts'>;

/** Adds the attributes of a chunk to those of its artifact. */
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
