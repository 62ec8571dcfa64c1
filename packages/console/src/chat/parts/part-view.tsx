import { ExternalLink } from 'lucide-react';
import type { Part } from 'parley-a2a/client';
import { memo, useMemo } from 'react';
import { CopyButton, DataTree } from '../../design/components/index.ts';
import { SafeLink } from '../text/safe-link.tsx';
import { StreamedText } from '../text/streamed-text.ts';
import { TextView } from '../text/text-view.tsx';
import { FileView } from './file-view.tsx';
import styles from './parts.module.css';
import { safeFileName } from './safe-name.ts';

/** A part of a message or an artifact that does not change any more. */
export const PartView = memo(function PartView({ part }: { readonly part: Part }) {
  switch (part.kind) {
    case 'text':
      return <WholeText text={part.text} />;
    case 'data':
      return (
        <div className={styles.data}>
          <span className={styles.corner}>
            <CopyButton text={() => JSON.stringify(part.data, null, 2)} label="data" />
          </span>
          <DataTree value={part.data} />
        </div>
      );
    case 'bytes':
      return <FileView part={part} />;
    case 'link':
      return (
        <div className={styles.file}>
          <ExternalLink size={16} aria-hidden />
          <SafeLink href={part.url}>{part.filename === undefined ? part.url : safeFileName(part.filename)}</SafeLink>
          {part.mediaType !== undefined && <span className={styles.type}>{part.mediaType}</span>}
        </div>
      );
  }
});

function WholeText({ text }: { readonly text: string }) {
  const view = useMemo(() => {
    const whole = new StreamedText();
    whole.append(text);
    whole.finish();
    return whole.view();
  }, [text]);
  return <TextView view={view} />;
}
