import { memo, useEffect, useRef, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import styles from './markdown.module.css';
import { Markdown } from './markdown.tsx';
import { renderSoon } from './render-queue.ts';
import type { Block, Section, TextView as View } from './streamed-text.ts';

/** A text that may still grow: finished sections are rendered once, the open block anew with each frame. */
export function TextView({ view }: { readonly view: View }) {
  return (
    <div className={styles.text}>
      {view.sections.map((section) => (
        <SectionView key={section.id} section={section} />
      ))}
      {/* Blocks are only added at the end: the place of one is what it is. */}
      {view.tail.map((block, place) => (
        <BlockView key={`${view.sections.length} ${String(place)}`} block={block} />
      ))}
      {view.open !== undefined && <BlockView key={`${view.sections.length} ${view.tail.length}`} block={view.open} />}
    </div>
  );
}

const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'markdown') return <Markdown text={block.text} />;
  return <CodeBlock language={block.language} segments={block.segments} isClosed={block.isClosed} />;
});

/** Sections that are nearer to the window than this are rendered as Markdown. */
const NEAR = '1200px 0px';

/**
 * A finished section. Far from the window it is plain text, which costs next to nothing; near it, Markdown, one section for each
 * frame, so that a long text that comes at once does not hold up the page.
 */
const SectionView = memo(function SectionView({ section }: { readonly section: Section }) {
  const [isNear, setNear] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNear || element.current === null) return;
    let forget: (() => void) | undefined;
    const observer = new IntersectionObserver(
      (changes) => {
        forget?.();
        forget = changes.at(-1)?.isIntersecting ? renderSoon(() => setNear(true)) : undefined;
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      forget?.();
    };
  }, [isNear]);
  return (
    <div ref={element} className={styles.section}>
      {isNear
        ? section.blocks.map((block, place) => <BlockView key={String(place)} block={block} />)
        : section.blocks.map((block, place) => (
            <div key={String(place)} className={styles.plain}>
              {block.kind === 'markdown' ? block.text : block.segments.join('')}
            </div>
          ))}
    </div>
  );
});
