import { memo, useEffect, useRef, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import styles from './markdown.module.css';
import { Markdown } from './markdown.tsx';
import { renderSoon } from './render-queue.ts';
import type { Block, TextView as View } from './streamed-text.ts';

/** A text that may still grow: what is finished is rendered once, the open block anew with each frame. */
export function TextView({ view }: { readonly view: View }) {
  const { sections, tail, open } = view;
  return (
    <div className={styles.text}>
      {sections.map(({ id, blocks }) => (
        <SectionView key={id} blocks={blocks} isFinished />
      ))}
      {/* The section that is being written; it has the key that it keeps when it is finished. */}
      <SectionView key={sections.length} blocks={open === undefined ? tail : [...tail, open]} isFinished={false} />
    </div>
  );
}

const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'markdown') return <Markdown text={block.text} />;
  return <CodeBlock language={block.language} segments={block.segments} isClosed={block.isClosed} />;
});

/** Sections that are nearer to the window than this are rendered as Markdown. */
const NEAR = '1000px 0px';
/** Characters of Markdown that are rendered at a stretch; about ten milliseconds of work. */
const AT_ONCE = 1_500;

interface SectionViewProps {
  readonly blocks: readonly Block[];
  readonly isFinished: boolean;
}

/**
 * A section of a text. Near the window its blocks are rendered as Markdown, as many for each frame as do not hold up the page; those
 * that have to wait, and all that are far away, are plain text, which costs next to nothing.
 */
const SectionView = memo(function SectionView({ blocks, isFinished }: SectionViewProps) {
  const [rendered, setRendered] = useState(() => (isFinished ? 0 : rendersAtOnce(blocks, 0)));
  const element = useRef<HTMLDivElement>(null);
  const isWhole = rendered >= blocks.length;
  useEffect(() => {
    if (isWhole || element.current === null) return;
    let forget: (() => void) | undefined;
    const observer = new IntersectionObserver(
      (changes) => {
        forget?.();
        const isNear = changes.at(-1)?.isIntersecting === true;
        forget = isNear ? renderSoon(() => setRendered(rendered + rendersAtOnce(blocks, rendered))) : undefined;
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      forget?.();
    };
  }, [isWhole, rendered, blocks]);
  return (
    <div ref={element} className={isFinished ? styles.section : styles.writing}>
      {/* Blocks are only added at the end: the place of one is what it is. */}
      {blocks.map((block, place) =>
        place < rendered ? (
          <BlockView key={String(place)} block={block} />
        ) : (
          <PlainBlock key={String(place)} block={block} />
        ),
      )}
    </div>
  );
});

const PlainBlock = memo(function PlainBlock({ block }: { readonly block: Block }) {
  return <div className={styles.plain}>{block.kind === 'markdown' ? block.text : block.segments.join('')}</div>;
});

/** The number of blocks from a place on that are rendered at a stretch; at least one. */
function rendersAtOnce(blocks: readonly Block[], from: number): number {
  let size = 0;
  let count = 0;
  for (const block of blocks.slice(from)) {
    size += block.kind === 'markdown' ? block.text.length : 200;
    if (count > 0 && size > AT_ONCE) break;
    count += 1;
  }
  return Math.max(1, count);
}
