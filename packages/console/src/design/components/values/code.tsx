import { CopyButton } from '../controls/copy-button.tsx';
import styles from './code.module.css';

interface CodeProps {
  readonly text: string;
  /** The name of what is copied, for the button. */
  readonly label?: string | undefined;
  readonly wrap?: boolean | undefined;
  /** One of many of its name, and so no landmark of the page. */
  readonly isMinor?: boolean | undefined;
}

/** Text as it is, in letters of one width, with a button that copies it. */
export function Code({ text, label = 'text', wrap, isMinor }: CodeProps) {
  const Frame = isMinor ? 'figure' : 'section';
  return (
    <div className={styles.frame}>
      {/* It scrolls, and so it must be reachable by the keyboard. */}
      <Frame className={styles.code} tabIndex={0} aria-label={label}>
        <pre className={wrap ? styles.wrap : undefined}>
          <code>{text}</code>
        </pre>
      </Frame>
      <span className={styles.copy}>
        <CopyButton text={text} label={label} />
      </span>
    </div>
  );
}
