import type { AgentTarget } from '../api/clients.ts';
import { Badge } from '../design/components/index.ts';
import styles from './card.module.css';
import { useSignature } from './use-signature.ts';

interface SignatureNoteProps {
  readonly target: AgentTarget;
  readonly published: Readonly<Record<string, unknown>>;
}

/** Whether the card is signed, and whether its signature holds. */
export function SignatureNote({ target, published }: SignatureNoteProps) {
  const { data: verdict, error } = useSignature(target, published);
  if (error !== undefined) return <Badge tone="warn">signature not checked</Badge>;
  if (verdict === undefined) return <Badge>checking the signature…</Badge>;
  switch (verdict.kind) {
    case 'unsigned':
      return <Badge>unsigned</Badge>;
    case 'verified':
      return (
        <span className={styles.line}>
          <Badge tone="good">signature verified</Badge>
          <span className={styles.muted}>
            key {verdict.kid} ({verdict.alg}) of {verdict.keysUrl}
          </span>
        </span>
      );
    case 'bad':
      return (
        <span className={styles.line}>
          <Badge tone="bad">bad signature</Badge>
          <span>{verdict.reason}</span>
        </span>
      );
    case 'unknown':
      return (
        <span className={styles.line}>
          <Badge tone="warn">signature not checked</Badge>
          <span>
            {verdict.reason} <span className={styles.muted}>{verdict.keysUrl}</span>
          </span>
        </span>
      );
  }
}
