import { Copy } from 'lucide-react';
import { useState } from 'react';
import { checkCommand } from '../../../../parley/src/snippets/check-command.ts';
import { Button, Code } from '../../design/components/index.ts';
import { secretValues } from '../access/agent-settings.ts';
import styles from './check.module.css';

interface CheckCommandProps {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The same check for a terminal or for CI, with variables for secrets. */
export function CheckCommand({ url, headers }: CheckCommandProps) {
  const [text, setText] = useState<string>();
  const copy = () => {
    const command = checkCommand(url, Object.entries(headers), { values: secretValues(url) });
    setText(command);
    // The command is shown, too: a browser that refuses the clipboard loses nothing.
    navigator.clipboard.writeText(command).catch(() => undefined);
  };
  return (
    <>
      <Button onClick={copy}>
        <Copy size={15} aria-hidden /> Copy as CLI
      </Button>
      {text !== undefined && (
        <div className={styles.command}>
          <Code text={text} label="the command" />
        </div>
      )}
    </>
  );
}
