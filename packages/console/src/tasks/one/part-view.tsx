import { Bytes, DataTree } from '../../design/components/index.ts';
import type { WirePart } from '../log/wire-events.ts';
import styles from './task-page.module.css';

const MOST_CHARACTERS = 20_000;

/** A part as it is in the log: text as text, data as a tree, a file by its name and size. Nothing of it is run or fetched. */
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
  return <FileLine part={part} />;
}

function FileLine({ part }: { readonly part: WirePart }) {
  const { filename = 'A file', mediaType, raw, url } = part;
  return (
    <div className={styles.line}>
      <strong>{filename}</strong>
      {mediaType !== undefined && <code>{mediaType}</code>}
      {typeof raw === 'string' && <Bytes count={Math.floor((raw.length * 3) / 4)} />}
      {typeof url === 'string' && <code>{url}</code>}
    </div>
  );
}
