import type { DeviceCode } from 'parley-a2a/oauth';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type AgentTarget, clientFor, urlOf } from '../../api/clients.ts';
import { Button, ErrorNote, TextField } from '../../design/components/index.ts';
import styles from '../tools.module.css';
import { logInByDevice } from './device-login.ts';

/** Shows the code of an authorization server and the page to type it on, and waits. */
export function DeviceLogin({ target, onDone }: { readonly target: AgentTarget; readonly onDone: () => void }) {
  const [clientId, setClientId] = useState('parley');
  const [code, setCode] = useState<DeviceCode>();
  const [error, setError] = useState<unknown>();
  const [isWaiting, setWaiting] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const begin = async (event: FormEvent) => {
    event.preventDefault();
    const control = new AbortController();
    running.current = control;
    setWaiting(true);
    setError(undefined);
    try {
      await logInByDevice(urlOf(target), clientFor(target), clientId, setCode, control.signal);
      onDone();
    } catch (failure) {
      if (!control.signal.aborted) setError(failure);
    } finally {
      setWaiting(false);
      setCode(undefined);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void begin(event)}>
      <TextField
        label="Client id"
        value={clientId}
        required
        hint="The name under which the authorization server knows this program."
        onChange={(event) => setClientId(event.target.value)}
      />
      {error !== undefined && <ErrorNote error={error} />}
      {code && (
        <div role="status" className={styles.form}>
          <p>
            Open this page and type the code. Look at whom the address belongs to before you log in:
            <br />
            <a href={code.verificationUri} target="_blank" rel="noopener noreferrer">
              {code.verificationUri}
            </a>
          </p>
          <p>
            <span className={styles.code}>{code.userCode}</span>
          </p>
        </div>
      )}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" disabled={isWaiting}>
          {isWaiting ? 'Waiting…' : 'Log in'}
        </Button>
        {isWaiting && <Button onClick={() => running.current?.abort()}>Stop</Button>}
      </div>
    </form>
  );
}
