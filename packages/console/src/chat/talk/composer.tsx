import { ArrowUp, Paperclip, Square, X } from 'lucide-react';
import { type Part, text } from 'parley-a2a/client';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { Bytes, IconButton } from '../../design/components/index.ts';
import { safeFileName } from '../parts/safe-name.ts';
import { partOfFile } from './attachments.ts';
import styles from './composer.module.css';

interface ComposerProps {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly placeholder: string;
  /** Words that stand there at first. */
  readonly initial: string;
  /** Told of each change of what is written. */
  readonly onWrite: (written: string) => void;
  /** The reason why nothing can be written now. */
  readonly blocked?: string | undefined;
  readonly isWorking: boolean;
  readonly files: readonly File[];
  readonly problem?: string | undefined;
  readonly onFiles: (added: readonly File[]) => void;
  readonly onRemoveFile: (file: File) => void;
  readonly onSend: (parts: readonly Part[]) => void;
  readonly onStop: () => void;
}

/** Where a person writes: Enter sends, Shift+Enter begins a new line, Esc stops the task; files by button, drop or paste. */
export function Composer(props: ComposerProps) {
  const { input, placeholder, blocked, isWorking, files, problem, onFiles, onRemoveFile, onSend, onStop } = props;
  const [draft, setDraft] = useState(props.initial);
  const write = (written: string) => {
    setDraft(written);
    props.onWrite(written);
  };
  const picker = useRef<HTMLInputElement>(null);
  const [unreadable, setUnreadable] = useState<string>();
  // Files are read first: who presses Enter again meanwhile does not send them twice.
  const isReading = useRef(false);
  const canSend = blocked === undefined && (draft.trim() !== '' || files.length > 0);
  const send = async () => {
    if (!canSend || isReading.current) return;
    isReading.current = true;
    try {
      const attached = await Promise.all(files.map(partOfFile));
      onSend([...(draft.trim() === '' ? [] : [text(draft)]), ...attached]);
      write('');
      setUnreadable(undefined);
    } catch (error) {
      setUnreadable(error instanceof Error ? error.message : String(error));
    } finally {
      isReading.current = false;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void send();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    onFiles([...event.clipboardData.files]);
  };
  return (
    <div className={styles.composer}>
      {(problem ?? unreadable) !== undefined && (
        <div role="alert" className={styles.problem}>
          {problem ?? unreadable}
        </div>
      )}
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Attachments">
          {files.map((file, place) => (
            // Two pictures that were pasted may differ in nothing but their place.
            <li key={String(place)} className={styles.file}>
              <span>{safeFileName(file.name)}</span> <Bytes count={file.size} />
              <IconButton
                small
                label={`Remove ${safeFileName(file.name)}`}
                onClick={() => {
                  setUnreadable(undefined);
                  onRemoveFile(file);
                }}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.row}>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <IconButton label="Attach files" disabled={blocked !== undefined} onClick={() => picker.current?.click()}>
          <Paperclip size={18} aria-hidden />
        </IconButton>
        <textarea
          ref={input}
          rows={1}
          className={styles.input}
          aria-label="Message"
          placeholder={blocked ?? placeholder}
          disabled={blocked !== undefined}
          value={draft}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {isWorking && (
          <IconButton label="Stop (Esc)" kind="danger" onClick={onStop}>
            <Square size={16} aria-hidden />
          </IconButton>
        )}
        <IconButton label="Send (Enter)" kind="primary" disabled={!canSend} onClick={() => void send()}>
          <ArrowUp size={18} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
