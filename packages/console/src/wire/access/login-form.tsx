import type { DeviceCode, Flow } from 'parley-a2a/oauth';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type AgentTarget, clientFor, urlOf } from '../../api/clients.ts';
import { Button, ErrorNote, TextField } from '../../design/components/index.ts';
import { wiredFetch } from '../record/wired-options.ts';
import styles from '../tools.module.css';
import { CALLBACK_URL, otherWindow } from './callback.ts';
import { logIn } from './login.ts';
import { LoginStep } from './login-step.tsx';

/** By the secret of a program, by a code that a person types on a page, or by a page that sends the person back. */
export type LoginWay = 'program' | 'device' | 'page';

interface LoginFormProps {
  readonly target: AgentTarget;
  readonly way: LoginWay;
  readonly onDone: () => void;
}

/** Gets a token from the authorization server that the agent names. */
export function LoginForm({ target, way, onDone }: LoginFormProps) {
  const [clientId, setClientId] = useState(way === 'program' ? '' : 'parley');
  const [secret, setSecret] = useState('');
  const [issuer, setIssuer] = useState('');
  const [step, setStep] = useState<DeviceCode | string>();
  const [error, setError] = useState<unknown>();
  const [waiting, setWaiting] = useState<AbortController>();
  const latest = useRef<AbortController>(undefined);
  // A login that is done goes on to renew its tokens.
  useEffect(() => () => latest.current?.abort(), []);
  const begin = async (event: FormEvent) => {
    event.preventDefault();
    const control = new AbortController();
    latest.current = control;
    setWaiting(control);
    setError(undefined);
    try {
      await logIn(urlOf(target), clientFor(target), {
        clientId: clientId.trim(),
        clientSecret: way === 'program' ? secret : undefined,
        issuer: issuer.trim() === '' ? undefined : issuer.trim(),
        flow: await flowOf(way, setStep),
        fetch: wiredFetch(urlOf(target)),
        signal: control.signal,
      });
      latest.current = undefined;
      onDone();
    } catch (failure) {
      if (!control.signal.aborted) setError(failure);
    } finally {
      setWaiting(undefined);
      setStep(undefined);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void begin(event)}>
      <TextField
        label="Client id"
        value={clientId}
        required
        autoComplete="off"
        hint={
          way === 'page'
            ? `The authorization server must know it, with ${CALLBACK_URL} as the address to come back to.`
            : 'The name under which the authorization server knows this program.'
        }
        onChange={(event) => setClientId(event.target.value)}
      />
      {way === 'program' && (
        <TextField
          label="Client secret"
          type="password"
          autoComplete="off"
          required
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
      )}
      <TextField
        label="Authorization server"
        type="url"
        autoComplete="off"
        placeholder="https://login.example.com"
        value={issuer}
        hint={
          way === 'program'
            ? 'The secret is sent there. Empty: the one that the agent names, where that is at the agent’s own address.'
            : 'Empty: the one that the agent names.'
        }
        onChange={(event) => setIssuer(event.target.value)}
      />
      {error !== undefined && <ErrorNote error={error} />}
      {step !== undefined && <LoginStep step={step} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" disabled={waiting !== undefined}>
          {waiting ? 'Waiting…' : 'Log in'}
        </Button>
        {waiting && <Button onClick={() => waiting.abort()}>Stop</Button>}
      </div>
    </form>
  );
}

async function flowOf(way: LoginWay, show: (step: DeviceCode | string) => void): Promise<Flow> {
  const { authorizationCode, clientCredentialsFlow, deviceCode } = await import('parley-a2a/oauth');
  switch (way) {
    case 'program':
      return clientCredentialsFlow;
    case 'device':
      return deviceCode({ onCode: show });
    case 'page':
      return authorizationCode(otherWindow(show));
  }
}
