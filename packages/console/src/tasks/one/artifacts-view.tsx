import { Badge, EmptyState } from '../../design/components/index.ts';
import type { ArtifactAt, BlockAt } from '../log/artifact-growth.ts';
import type { TaskAt } from '../log/task-log.ts';
import { PartView } from './part-view.tsx';
import styles from './task-page.module.css';

/** The artifacts as they were at the event that is looked at. */
export function ArtifactsView({ at }: { readonly at: TaskAt }) {
  if (at.artifacts.length === 0) return <EmptyState title="No artifact at this event" />;
  return (
    <>
      {at.hiddenArtifacts > 0 && <p className={styles.muted}>{at.hiddenArtifacts} earlier artifacts are not shown.</p>}
      {at.artifacts.map((artifact) => (
        <Artifact key={artifact.id} artifact={artifact} />
      ))}
    </>
  );
}

function Artifact({ artifact }: { readonly artifact: ArtifactAt }) {
  const { id, name, chunks, isComplete, blocks, hiddenBlocks } = artifact;
  return (
    <article className={styles.artifact} aria-label={`Artifact ${name ?? id}`}>
      <div className={styles.line}>
        <h2>{name ?? id}</h2>
        <span className={styles.muted}>
          {chunks.toLocaleString()} {chunks === 1 ? 'chunk' : 'chunks'}
        </span>
        {!isComplete && <Badge tone="active">growing</Badge>}
      </div>
      {hiddenBlocks > 0 && <p className={styles.muted}>{hiddenBlocks} earlier parts are not shown.</p>}
      {blocks.length === 0 && (
        <p className={styles.muted}>Its content is empty, or too large for this page; the chat shows it.</p>
      )}
      {blocks.map((block) => (
        <Block key={block.key} block={block} />
      ))}
    </article>
  );
}

function Block({ block }: { readonly block: BlockAt }) {
  if (block.kind === 'part') return <PartView part={block.part} />;
  const hidden = block.length - block.text.length;
  return (
    <>
      {hidden > 0 && <p className={styles.muted}>{hidden.toLocaleString()} characters before these are not shown.</p>}
      <div className={styles.text}>{block.text}</div>
    </>
  );
}
