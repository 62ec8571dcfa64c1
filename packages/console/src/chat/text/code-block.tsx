import { lazy, memo, Suspense } from 'react';
import { CopyButton } from '../../design/components/index.ts';
import styles from './markdown.module.css';

const HighlightedCode = lazy(() => import('./highlighted-code.tsx'));

/** Characters of code that are coloured; more is shown as it is. */
const MOST_HIGHLIGHTED = 30_000;

interface CodeBlockProps {
  readonly language: string;
  readonly segments: readonly string[];
  readonly isClosed: boolean;
}

/** A fenced block. It grows by segments of which all but the last stay as they are; colours come when it is finished. */
export const CodeBlock = memo(function CodeBlock({ language, segments, isClosed }: CodeBlockProps) {
  const isColoured = isClosed && language !== '' && segments.length * 4_000 <= MOST_HIGHLIGHTED;
  // Segments only grow at the end: the place of one is what it is.
  const plain = segments.map((segment, place) => <Segment key={String(place)} text={segment} />);
  return (
    <div className={styles.codeFrame}>
      <div className={styles.codeHead}>
        <span>{language || 'code'}</span>
        <CopyButton text={() => segments.join('')} label="code" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <figure className={styles.codeBody} aria-label={language ? `Code, ${language}` : 'Code'} tabIndex={0}>
        <pre>
          <code>
            {isColoured ? (
              <Suspense fallback={plain}>
                <HighlightedCode language={language} text={segments.join('')} />
              </Suspense>
            ) : (
              plain
            )}
          </code>
        </pre>
      </figure>
    </div>
  );
});

const Segment = memo(function Segment({ text }: { readonly text: string }) {
  return <span>{text}</span>;
});
