import styles from './code.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeProps {
  readonly text: string;
  /** The name of what is copied, for the button. */
  readonly label?: string | undefined;
  readonly wrap?: boolean | undefined;
}

/** Text as it is, in letters of one width, with a button that copies it. */
export function Code({ text, label = 'text', wrap }: CodeProps) {
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={styles.code} tabIndex={0} aria-label={label}>
        <pre className={wrap ? styles.wrap : undefined}>
          <code>{text}</code>
        </pre>
      </section>
      <span className={styles.copy}>
        <CopyButton text={text} label={label} />
      </span>
    </div>
  );
}
