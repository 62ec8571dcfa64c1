import { Copy } from 'lucide-react';
import { useState } from 'react';
import { checkCommand } from '../../../../parley/src/snippets/check-command.ts';
import { currentAccess } from '../../api/access.ts';
import { type AgentTarget, urlOf } from '../../api/clients.ts';
import { Button, Code } from '../../design/components/index.ts';
import { agentSettings, secretValues } from '../access/agent-settings.ts';
import { credentialHeaders } from '../access/credential-headers.ts';
import styles from './check.module.css';

/** The same check for a terminal or for CI, with variables for secrets. */
export function CheckCommand({ target }: { readonly target: AgentTarget }) {
  const [text, setText] = useState<string>();
  const copy = async () => {
    const url = urlOf(target);
    const command = checkCommand(url, Object.entries(await headersFor(target)), { values: secretValues(url) });
    setText(command);
    // The command is shown, too: a browser that refuses the clipboard loses nothing.
    navigator.clipboard.writeText(command).catch(() => undefined);
  };
  return (
    <>
      <Button onClick={() => void copy()}>
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

/** From a terminal, the credential of this page must be given to agents of its server, too. */
async function headersFor(target: AgentTarget): Promise<Readonly<Record<string, string>>> {
  const access = target.kind === 'own' ? currentAccess() : undefined;
  // An agent that cannot be asked for its card is checked with what was set by hand.
  const own = await credentialHeaders(target).catch(() => agentSettings(urlOf(target)).headers);
  return { ...(access && { [access.header]: access.value }), ...own };
}
