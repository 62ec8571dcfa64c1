import { Activity, type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { currentAccess, setAccess } from '../api/access.ts';
import { isAccessError, isOperatorError } from '../api/operator-error.ts';
import { onRefusal } from '../api/refusals.ts';
import { useServerInfo } from '../api/server-info.ts';
import { Button, ErrorNote, Page, Panel, SelectField, TextField } from '../design/components/index.ts';
import styles from './access-gate.module.css';

/**
 * The page, or the question for a credential where the server does not let this person in without one. If a credential expires
 * while somebody works, the page waits behind the question with all that is written on it.
 */
export function AccessGate({ children }: { readonly children: ReactNode }) {
  const { data, error, reload } = useServerInfo();
  const isOut = isAccessError(error);
  useEffect(() => (isOut ? undefined : onRefusal(reload)), [isOut, reload]);
  if (isOut && data === undefined) return <SignIn error={error} />;
  return (
    <>
      {isOut && <SignIn error={error} />}
      <Activity mode={isOut ? 'hidden' : 'visible'}>{children}</Activity>
    </>
  );
}

/** The header of the server's API keys, where it takes nothing else that this page has a field for. */
function keyHeaderOf(error: unknown): string | undefined {
  const challenge = (isOperatorError(error) ? error.challenge : undefined) ?? '';
  return /\bBearer\b/i.test(challenge) ? undefined : /\bApiKey\b.*?\bheader="([A-Za-z0-9-]+)"/i.exec(challenge)?.[1];
}

function SignIn({ error }: { readonly error: unknown }) {
  const [known] = useState(() => keyHeaderOf(error));
  const [kind, setKind] = useState<'bearer' | 'key'>(known === undefined ? 'bearer' : 'key');
  const [header, setHeader] = useState(known ?? 'x-api-key');
  const [secret, setSecret] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = secret.trim();
    if (value === '') return;
    setAccess(
      kind === 'bearer'
        ? { header: 'authorization', value: `Bearer ${value}` }
        : { header: header.toLowerCase(), value },
    );
  };
  return (
    <Page title="Sign in" lead="This server shows its console to operators: callers with the scope parley:operator.">
      {currentAccess() !== undefined && <ErrorNote error={error} />}
      <Panel className={styles.panel}>
        <form className={styles.form} onSubmit={submit}>
          <SelectField
            label="What you have"
            value={kind}
            onChange={(event) => setKind(event.target.value === 'key' ? 'key' : 'bearer')}
          >
            <option value="bearer">A token</option>
            <option value="key">An API key</option>
          </SelectField>
          {kind === 'key' && (
            <TextField
              label="Header"
              value={header}
              pattern="[A-Za-z0-9\-]+"
              required
              onChange={(event) => setHeader(event.target.value)}
            />
          )}
          <TextField
            label={kind === 'bearer' ? 'Token' : 'Key'}
            type="password"
            autoComplete="off"
            required
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            hint="Kept in this window until you close it, and sent to this server alone."
          />
          <Button kind="primary" type="submit">
            Sign in
          </Button>
        </form>
      </Panel>
    </Page>
  );
}
