import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { SecretsShown } from '../../../../parley/src/snippets/secrets.ts';
import { Button, Code, ErrorNote } from '../../design/components/index.ts';
import type { WireExchange } from '../record/exchange.ts';
import { COPY_NAMES, type CopyForm, copyAs, copyForms } from './copy.ts';
import styles from './traffic.module.css';

interface CopyMenuProps {
  readonly exchange: WireExchange;
  readonly all: readonly WireExchange[];
  readonly secrets: SecretsShown;
}

interface Copied {
  readonly form: CopyForm;
  readonly text?: string;
  readonly notes?: readonly string[];
  readonly error?: unknown;
  readonly isInClipboard?: boolean;
}

/** Copies a request as text that can be run, and shows the text. */
export function CopyMenu({ exchange, all, secrets }: CopyMenuProps) {
  const [copied, setCopied] = useState<Copied>();
  const copy = async (form: CopyForm) => {
    try {
      const { text, notes } = await copyAs(form, exchange, all, secrets);
      const isInClipboard = await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      );
      setCopied({ form, text, notes, isInClipboard });
    } catch (error) {
      setCopied({ form, error });
    }
  };
  return (
    <div className={styles.copy}>
      <div className={styles.copyButtons}>
        <span>Copy as</span>
        {copyForms(exchange).map((form) => (
          <Button small key={form} onClick={() => void copy(form)}>
            {copied?.form === form && copied.isInClipboard ? (
              <Check size={14} aria-hidden />
            ) : (
              <Copy size={14} aria-hidden />
            )}
            {COPY_NAMES[form]}
          </Button>
        ))}
      </div>
      {copied?.error !== undefined && <ErrorNote error={copied.error} />}
      {copied?.text !== undefined && (
        <>
          <p className={styles.note} role="status">
            {copied.isInClipboard ? 'Copied.' : 'The browser did not allow it: copy it from here.'}{' '}
            {copied.notes?.join(' ')}
          </p>
          <Code text={copied.text} label={`the ${COPY_NAMES[copied.form]} text`} />
        </>
      )}
    </div>
  );
}
