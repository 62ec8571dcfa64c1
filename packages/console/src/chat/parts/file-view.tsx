import { Download, FileText } from 'lucide-react';
import { type BytesPart, bytesOf } from 'parley-a2a/client';
import { useEffect, useMemo, useState } from 'react';
import { Bytes, Code } from '../../design/components/index.ts';
import styles from './parts.module.css';
import { safeFileName } from './safe-name.ts';

/** Characters of a text file that are shown before it is saved. */
const SHOWN_TEXT = 20_000;

const SVG = 'image/svg+xml';
const isPicture = (type: string) => /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/.test(type);
const isText = (type: string) => /^(text\/|application\/(json|xml|yaml|x-ndjson|javascript))/.test(type);

/**
 * A file that came inline: seen where it can be, and saved. Pictures, sound and films are shown from a blob, where SVG cannot run
 * scripts; everything else that could act when it is opened is only saved.
 */
export function FileView({ part }: { readonly part: BytesPart }) {
  const type = (part.mediaType ?? 'application/octet-stream').toLowerCase().split(';', 1)[0]?.trim() ?? '';
  const name = safeFileName(part.filename, 'file');
  const content = useMemo(() => bytesOrNothing(part), [part]);
  const url = useBlobUrl(content, type);
  // Opened in a window of its own, a picture in SVG is a document: it is saved as mere bytes.
  const asBytes = useBlobUrl(type === SVG ? content : undefined, 'application/octet-stream');
  const saved = type === SVG ? asBytes : url;
  const [isUnreadable, setUnreadable] = useState(false);
  if (content === undefined) return <div>{name}: its bytes cannot be read</div>;
  const shown = isUnreadable ? undefined : url;
  const giveUp = () => setUnreadable(true);
  return (
    <figure className={styles.figure}>
      {shown !== undefined && isPicture(type) && (
        <img className={styles.picture} src={shown} alt={name} onError={giveUp} />
      )}
      {shown !== undefined && type.startsWith('audio/') && (
        // biome-ignore lint/a11y/useMediaCaption: agents send none
        <audio controls src={shown} aria-label={name} onError={giveUp} />
      )}
      {shown !== undefined && type.startsWith('video/') && (
        // biome-ignore lint/a11y/useMediaCaption: agents send none
        <video className={styles.picture} controls src={shown} aria-label={name} onError={giveUp} />
      )}
      {isUnreadable && (
        <p className={styles.type}>
          This browser cannot {isPicture(type) ? 'show' : 'play'} the file: it is damaged, or of a kind that the browser
          does not know. Save it to open it with another program.
        </p>
      )}
      {isText(type) && <TextPreview content={content} name={name} />}
      <figcaption className={styles.file}>
        <FileText size={16} aria-hidden />
        <span className={styles.name}>{name}</span>
        <span className={styles.type}>
          <bdi>{type}</bdi>, <Bytes count={content.length} />
        </span>
        {saved !== undefined && (
          <a href={saved} download={name} className={styles.save}>
            <Download size={16} aria-hidden /> Save
          </a>
        )}
      </figcaption>
    </figure>
  );
}

function TextPreview({ content, name }: { readonly content: Uint8Array; readonly name: string }) {
  const text = useMemo(() => {
    const start = new TextDecoder().decode(content.subarray(0, SHOWN_TEXT));
    return content.length > SHOWN_TEXT ? `${start}\n… (save the file for the rest)` : start;
  }, [content]);
  return <Code text={text} label={name} isMinor />;
}

function bytesOrNothing(part: BytesPart): Uint8Array<ArrayBuffer> | undefined {
  try {
    return bytesOf(part);
  } catch {
    return undefined;
  }
}

function useBlobUrl(content: Uint8Array<ArrayBuffer> | undefined, type: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content === undefined) return;
    // Only what is shown keeps its type: a page that was opened from the link of a blob would be of this origin.
    const isShown = isPicture(type) || type.startsWith('audio/') || type.startsWith('video/');
    const made = URL.createObjectURL(new Blob([content], { type: isShown ? type : 'application/octet-stream' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content, type]);
  return url;
}
