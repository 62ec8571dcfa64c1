import { useEffect, useRef, useState } from 'react';
import { type AgentTarget, urlOf } from '../../api/clients.ts';
import { Button, EmptyState, ErrorNote } from '../../design/components/index.ts';
import { credentialHeaders } from '../access/credential-headers.ts';
import { AgentPicker, completeTarget, targetFrom } from '../agent-picker.tsx';
import styles from '../tools.module.css';
import { CheckCommand } from './check-command.tsx';
import { CheckReport } from './check-report.tsx';
import { type CheckProgress, NOTHING_CHECKED, runCheck } from './check-run.ts';

/** `parley check` on an agent: which rules of the protocol it keeps, and which it breaks. */
export function CheckView({ agent }: { readonly agent: string | undefined }) {
  const [picked, pick] = useState<AgentTarget | undefined>(() => targetFrom(agent));
  const [progress, setProgress] = useState<CheckProgress>();
  const [error, setError] = useState<unknown>();
  const [isStopped, setStopped] = useState(false);
  const [running, setRunning] = useState<AbortController>();
  const latest = useRef<AbortController>(undefined);
  // Whoever leaves the view stops the check, also on the server.
  useEffect(() => () => latest.current?.abort(), []);
  const target = completeTarget(picked);

  const run = async () => {
    if (!target) return;
    const control = new AbortController();
    latest.current = control;
    setRunning(control);
    setError(undefined);
    setStopped(false);
    setProgress(NOTHING_CHECKED);
    try {
      const subject = target.kind === 'own' ? { agent: target.name } : { url: target.url };
      await runCheck({ ...subject, headers: await credentialHeaders(target) }, control.signal, setProgress);
    } catch (failure) {
      if (control.signal.aborted) setStopped(true);
      else setError(failure);
    } finally {
      setRunning(undefined);
    }
  };
  const failure = progress?.failure;
  return (
    <div className={styles.tool}>
      <div className={styles.form}>
        <AgentPicker value={picked} onChange={pick} />
        <div className={styles.actions}>
          <Button kind="primary" disabled={!target || running !== undefined} onClick={() => void run()}>
            {running ? 'Checking…' : 'Check'}
          </Button>
          {running && <Button onClick={() => running.abort()}>Stop</Button>}
          {target && <CheckCommand key={urlOf(target)} target={target} />}
        </div>
      </div>
      {error !== undefined && <ErrorNote error={error} onRetry={() => void run()} />}
      {failure && <ErrorNote error={new Error(failure.message)} onRetry={() => void run()} />}
      {progress && !failure && (progress.begin || running) && (
        <CheckReport progress={progress} isRunning={running !== undefined} isStopped={isStopped} />
      )}
      {!progress && error === undefined && (
        <EmptyState title="Nothing checked yet">
          <p>
            A check sends some hundreds of real requests to the agent and looks at what comes back. Choose one that may
            be bothered.
          </p>
        </EmptyState>
      )}
    </div>
  );
}
