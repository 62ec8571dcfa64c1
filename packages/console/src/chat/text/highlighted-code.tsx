import { Fragment, memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import './highlight.css';

/** Made once: it knows some forty languages, and to learn them takes longer than to colour a block. */
const highlight = rehypeHighlight();
const PLUGINS = [() => highlight];
const COMPONENTS: Components = {
  pre: ({ children }) => <Fragment>{children}</Fragment>,
  code: ({ children }) => <span>{children}</span>,
};

/** Code in colours. A language that is not known leaves it as it is. */
const HighlightedCode = memo(function HighlightedCode({
  language,
  text,
}: {
  readonly language: string;
  readonly text: string;
}) {
  const longest = Math.max(2, ...Array.from(text.matchAll(/~{3,}/g), ([marks]) => marks.length));
  const fence = '~'.repeat(longest + 1);
  return (
    <ReactMarkdown rehypePlugins={PLUGINS} components={COMPONENTS}>
      {`${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`}
    </ReactMarkdown>
  );
});

export default HighlightedCode;
