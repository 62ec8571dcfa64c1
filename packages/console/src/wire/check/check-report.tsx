import { useState } from 'react';
import type { CheckedRule, CheckVerdict } from '../../../../parley/src/server/operator/check-api.ts';
import { Badge, Button, formatDuration, TextField } from '../../design/components/index.ts';
import { shownText } from '../traffic/describe-exchange.ts';
import styles from './check.module.css';
import type { CheckProgress } from './check-run.ts';
import { CheckedRuleItem, VERDICT_TONES } from './checked-rule.tsx';

const VERDICTS = Object.keys(VERDICT_TONES) as readonly CheckVerdict[];
const WORDS: Readonly<Record<CheckVerdict, string>> = {
  FAIL: 'failed',
  WARN: 'warnings',
  PASS: 'passed',
  SKIP: 'skipped',
  'N/A': 'not applicable',
};

interface CheckReportProps {
  readonly progress: CheckProgress;
  readonly isRunning: boolean;
  readonly isStopped: boolean;
}

/** The rules that were looked at so far, by what came of them. */
export function CheckReport({ progress, isRunning, isStopped }: CheckReportProps) {
  const { begin, rules, summary } = progress;
  const [shown, setShown] = useState<CheckVerdict>();
  const [word, setWord] = useState('');
  const countOf = (verdict: CheckVerdict) => rules.filter((rule) => rule.verdict === verdict).length;
  const fitting = rules.filter((rule) => (shown === undefined || rule.verdict === shown) && holds(rule, word));
  // Rules stay where they are while others come; those that are broken are first when all are known.
  const listed = isRunning
    ? fitting
    : VERDICTS.flatMap((verdict) => fitting.filter((rule) => rule.verdict === verdict));
  return (
    <section className={styles.report} aria-label="Report">
      <p role="status" className={styles.status}>
        {begin ? `${shownText(begin.agent, {})}, ${begin.interfaces.join(', ')}` : 'Asking for the card…'}
        {begin && `: ${rules.length} of ${begin.rules} rules looked at`}
        {summary && ` with ${summary.requests} requests in ${formatDuration(summary.milliseconds)}`}
        {isStopped && '. You stopped it'}
      </p>
      <progress className={styles.progress} aria-label="Rules" max={begin?.rules ?? 1} value={rules.length} />
      <div className={styles.filters}>
        <fieldset className={styles.verdicts}>
          <legend>Show only</legend>
          {VERDICTS.map((verdict) => (
            <Button
              small
              key={verdict}
              aria-pressed={shown === verdict}
              onClick={() => setShown(shown === verdict ? undefined : verdict)}
            >
              <Badge tone={VERDICT_TONES[verdict]}>{countOf(verdict)}</Badge> {WORDS[verdict]}
            </Button>
          ))}
        </fieldset>
        <TextField
          label="Find a rule"
          type="search"
          placeholder="stream, MUST, 3.1 …"
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
      </div>
      {listed.length > 0 ? (
        <ul className={styles.rules} aria-label="Rules">
          {listed.map((rule) => (
            <CheckedRuleItem key={rule.id} rule={rule} />
          ))}
        </ul>
      ) : (
        <p className={styles.note}>{rules.length === 0 ? 'The first rule is on its way.' : 'No rule is like this.'}</p>
      )}
    </section>
  );
}

function holds({ id, level, section, text, outcomes }: CheckedRule, word: string): boolean {
  if (word.trim() === '') return true;
  const all = [id, level, section, text, ...outcomes.map(({ reason = '' }) => reason)].join('\n').toLowerCase();
  return all.includes(word.trim().toLowerCase());
}
