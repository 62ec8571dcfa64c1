import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import styles from './markdown.module.css';
import { SafeLink } from './safe-link.tsx';

const PLUGINS = [remarkGfm];

/** Raw HTML stays text, images are not fetched, and links tell where they lead. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <SafeLink href={typeof src === 'string' ? src : undefined}>{alt || 'image'}</SafeLink>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <figure className={styles.table} aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </figure>
  ),
  // Headings of an agent are of one level, below those of the page: theirs may begin anywhere and skip levels.
  h1: ({ children }) => <h4 className={styles.heading1}>{children}</h4>,
  h2: ({ children }) => <h4 className={styles.heading2}>{children}</h4>,
  h3: ({ children }) => <h4 className={styles.heading3}>{children}</h4>,
  h4: ({ children }) => <h4 className={styles.heading3}>{children}</h4>,
  h5: ({ children }) => <h4 className={styles.heading3}>{children}</h4>,
  h6: ({ children }) => <h4 className={styles.heading3}>{children}</h4>,
};

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className={styles.prose}>
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} skipHtml={false}>
        {text}
      </ReactMarkdown>
    </div>
  );
});
