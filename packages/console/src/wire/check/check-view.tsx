import { useEffect, useRef, useState } from 'react';
import type { CheckedRule, CheckVerdict } from '../../../../parley/src/server/operator/check-api.ts';
import { type AgentTarget, urlOf } from '../../api/clients.ts';
import { Badge, Button, EmptyState, ErrorNote, formatDuration, type Tone } from '../../design/components/index.ts';
import { agentSettings } from '../access/agent-settings.ts';
import { AgentPicker, completeTarget, targetFrom } from '../agent-picker.tsx';
import styles from '../tools.module.css';
import { type CheckProgress, runCheck } from './check-run.ts';

const TONES: Readonly<Record<CheckVerdict, Tone>> = {
  FAIL: 'bad',
  WARN: 'warn',
  PASS: 'good',
  SKIP: 'plain',
  'N/A': 'plain',
};
const VERDICTS = Object.keys(TONES) as readonly CheckVerdict[];

/** `parley check` on an agent: which rules of the protocol it keeps, and which it breaks. */
export function CheckView({ agent }: { readonly agent: string | undefined }) {
  const [picked, pick] = useState<AgentTarget | undefined>(() => targetFrom(agent));
  const [progress, setProgress] = useState<CheckProgress>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const target = completeTarget(picked);

  const run = async () => {
    if (!target) return;
    const control = new AbortController();
    running.current = control;
    setRunning(true);
    setError(undefined);
    setProgress(undefined);
    const { headers } = agentSettings(urlOf(target));
    const subject = target.kind === 'own' ? { agent: target.name } : { url: target.url };
    try {
      await runCheck({ ...subject, headers }, control.signal, setProgress);
    } catch (failure) {
      if (!control.signal.aborted) setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <div className={styles.tool}>
      <div className={styles.form}>
        <AgentPicker value={picked} onChange={pick} />
        <div className={styles.actions}>
          <Button kind="primary" disabled={!target || isRunning} onClick={() => void run()}>
            {isRunning ? 'Checking…' : 'Check'}
          </Button>
          {isRunning && <Button onClick={() => running.current?.abort()}>Stop</Button>}
        </div>
      </div>
      {error !== undefined && <ErrorNote error={error} onRetry={() => void run()} />}
      {progress?.error !== undefined && <ErrorNote error={new Error(progress.error)} onRetry={() => void run()} />}
      {progress ? (
        <Report progress={progress} />
      ) : (
        error === undefined && (
          <EmptyState title="Nothing checked yet">
            <p>A check sends real messages to the agent. Choose one that may be bothered.</p>
          </EmptyState>
        )
      )}
    </div>
  );
}

function Report({ progress: { begin, rules, summary } }: { readonly progress: CheckProgress }) {
  const [shown, setShown] = useState<CheckVerdict>();
  const countOf = (verdict: CheckVerdict) => rules.filter((rule) => rule.verdict === verdict).length;
  const listed = VERDICTS.flatMap((verdict) => rules.filter((rule) => rule.verdict === verdict)).filter(
    ({ verdict }) => shown === undefined || verdict === shown,
  );
  return (
    <>
      <p role="status" className={styles.note}>
        {begin && `${begin.agent}, ${begin.interfaces.join(', ')}: `}
        {rules.length} rules looked at
        {summary && ` with ${summary.requests} requests in ${formatDuration(summary.milliseconds)}`}.
      </p>
      <div className={styles.actions}>
        {VERDICTS.map((verdict) => (
          <Button
            small
            key={verdict}
            aria-pressed={shown === verdict}
            onClick={() => setShown(shown === verdict ? undefined : verdict)}
          >
            <Badge tone={TONES[verdict]}>{verdict}</Badge> {countOf(verdict)}
          </Button>
        ))}
      </div>
      <ul className={styles.rules} aria-label="Rules">
        {listed.map((rule) => (
          <Rule key={rule.id} rule={rule} />
        ))}
      </ul>
    </>
  );
}

function Rule({ rule: { id, verdict, level, section, text, outcomes } }: { readonly rule: CheckedRule }) {
  const told = outcomes.filter(({ reason }) => reason !== undefined && reason !== '');
  return (
    <li>
      <div className={styles.ruleHead}>
        <Badge tone={TONES[verdict]}>{verdict}</Badge>
        <code>{id}</code>
        <span className={styles.note}>
          {level} · {section}
        </span>
      </div>
      <p>{text}</p>
      {told.map(({ where = '', reason = '', verdict: one }) => (
        <p key={`${where} ${reason}`} className={one === 'FAIL' ? styles.problem : styles.note}>
          {where === '' ? '' : `${where}: `}
          {reason}
        </p>
      ))}
    </li>
  );
}
