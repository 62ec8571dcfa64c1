import type { BytesPart } from 'parley-a2a/client';
import { useMemo } from 'react';
import { FileView } from '../../chat/parts/file-view.tsx';
import { SafeLink } from '../../chat/text/safe-link.tsx';
import { DataTree } from '../../design/components/index.ts';
import type { WirePart } from '../log/wire-events.ts';
import styles from './task-page.module.css';

const MOST_CHARACTERS = 20_000;

/** A part as it is in the log: text as text, data as a tree, a file as the chat shows it. Nothing of it is run or fetched. */
export function PartView({ part }: { readonly part: WirePart }) {
  if (typeof part.text === 'string') {
    const hidden = part.text.length - MOST_CHARACTERS;
    return (
      <>
        <div className={styles.text}>{hidden > 0 ? `${part.text.slice(0, MOST_CHARACTERS)}…` : part.text}</div>
        {hidden > 0 && <p className={styles.muted}>{hidden.toLocaleString()} more characters are not shown.</p>}
      </>
    );
  }
  if (part.data !== undefined) return <DataTree value={part.data} />;
  return typeof part.raw === 'string' ? <InlineFile part={part} raw={part.raw} /> : <FileLine part={part} />;
}

function InlineFile({ part, raw }: { readonly part: WirePart; readonly raw: string }) {
  const { filename, mediaType } = part;
  // The same object while the slider moves: a film goes on.
  const file = useMemo<BytesPart>(
    () => ({ kind: 'bytes', bytes: raw, filename, mediaType }),
    [raw, filename, mediaType],
  );
  return <FileView part={file} />;
}

function FileLine({ part }: { readonly part: WirePart }) {
  const { filename = 'A file', mediaType, url } = part;
  return (
    <div className={styles.line}>
      <strong>{filename}</strong>
      {mediaType !== undefined && <code>{mediaType}</code>}
      {typeof url === 'string' && <SafeLink href={url}>{url}</SafeLink>}
    </div>
  );
}
