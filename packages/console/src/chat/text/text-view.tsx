import { memo, useEffect, useRef, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import styles from './markdown.module.css';
import { Markdown } from './markdown.tsx';
import { watchFarness, watchNearness } from './nearness.ts';
import { renderSoon } from './render-queue.ts';
import type { Block, Section, TextView as View } from './streamed-text.ts';

/** Sections in a chapter. */
const CHAPTER = 12;

/**
 * A text that may still grow: what is finished is rendered once, the open block anew with each frame. Sections stand in chapters, of
 * which the browser leaves out those that are far away as one: with each frame it looks at every element that it may leave out.
 */
export function TextView({ view }: { readonly view: View }) {
  const { sections, tail, open } = view;
  const writing = open === undefined ? tail : [...tail, open];
  const full = Math.floor(sections.length / CHAPTER);
  return (
    <div className={styles.text}>
      {Array.from({ length: full + 1 }, (_, number) => (
        <Chapter
          key={String(number)}
          sections={sections}
          from={number * CHAPTER}
          writing={number === full ? writing : undefined}
        />
      ))}
    </div>
  );
}

interface ChapterProps {
  /** Those of the whole text; the chapter has the ones from `from` on. */
  readonly sections: readonly Section[];
  readonly from: number;
  /** The blocks of the section that is being written; undefined where the chapter is full. */
  readonly writing: readonly Block[] | undefined;
}

const Chapter = memo(function Chapter({ sections, from, writing }: ChapterProps) {
  const element = useRef<HTMLDivElement>(null);
  const [isFar, setFar] = useState(false);
  const isFull = writing === undefined;
  useEffect(() => {
    if (!isFull || element.current === null) return;
    return watchFarness(element.current, (isNear) => setFar(!isNear));
  }, [isFull]);
  return (
    <div ref={element} className={isFull ? styles.chapter : styles.writing}>
      {sections.slice(from, from + CHAPTER).map(({ id, blocks }) => (
        <SectionView key={id} blocks={blocks} isFinished isFar={isFar} />
      ))}
      {/* The section that is being written has the key that it keeps when it is finished. */}
      {!isFull && <SectionView key={sections.length} blocks={writing} isFinished={false} isFar={false} />}
    </div>
  );
}, isSameChapter);

/** A full chapter changes only where the text begins anew. */
function isSameChapter(before: ChapterProps, after: ChapterProps): boolean {
  if (before.writing !== undefined || after.writing !== undefined) return false;
  return before.sections[before.from] === after.sections[after.from];
}

const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'markdown') return <Markdown text={block.text} />;
  return <CodeBlock language={block.language} segments={block.segments} isClosed={block.isClosed} />;
});

/** Characters of Markdown that are rendered at a stretch; about ten milliseconds of work. */
const AT_ONCE = 1_500;

interface SectionViewProps {
  readonly blocks: readonly Block[];
  readonly isFinished: boolean;
  /** Its chapter is so far from the window that the person will not see it soon. */
  readonly isFar: boolean;
}

/** The section is one piece of plain text. */
const FOLDED = -1;

/**
 * A section of a text. Near the window its blocks are rendered as Markdown, as many for each frame as do not hold up the page; those
 * that have to wait are plain text, which costs next to nothing. Far away all of it is one text: what a page holds, the browser looks
 * through again and again for what is no longer needed.
 */
const SectionView = memo(function SectionView({ blocks, isFinished, isFar }: SectionViewProps) {
  const [rendered, setRendered] = useState(() => (isFinished ? 0 : rendersAtOnce(blocks, 0)));
  const element = useRef<HTMLDivElement>(null);
  const isFolded = rendered === FOLDED;
  const isWhole = rendered >= blocks.length;
  useEffect(() => {
    if (isFar !== isFolded) return renderSoon(() => setRendered(isFar ? FOLDED : 0));
    if (isFar || isWhole || element.current === null) return;
    let forget: (() => void) | undefined;
    const leave = watchNearness(element.current, (isNear) => {
      forget?.();
      forget = isNear ? renderSoon(() => setRendered(rendered + rendersAtOnce(blocks, rendered))) : undefined;
    });
    return () => {
      leave();
      forget?.();
    };
  }, [isFar, isFolded, isWhole, rendered, blocks]);
  return (
    <div ref={element} className={isFinished ? styles.section : styles.writing}>
      {isFolded ? <div className={styles.plain}>{blocks.map(plainTextOf).join('\n')}</div> : null}
      {/* Blocks are only added at the end: the place of one is what it is. */}
      {(isFolded ? [] : blocks).map((block, place) =>
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
  return <div className={styles.plain}>{plainTextOf(block)}</div>;
});

function plainTextOf(block: Block): string {
  return block.kind === 'markdown' ? block.text : block.segments.join('');
}

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
