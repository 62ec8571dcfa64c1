import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type AgentTarget, urlOf } from '../../api/clients.ts';
import { describeError } from '../../api/describe-error.ts';
import { Badge, Button, EmptyState, StateBadge, TextArea } from '../../design/components/index.ts';
import { AgentPicker, completeTarget, targetFrom } from '../agent-picker.tsx';
import styles from '../tools.module.css';
import { compared } from './differences.ts';
import { runVariant, type VariantResult } from './run-variant.ts';
import { USUAL_VARIANTS, VARIANTS } from './variants.ts';

/** The same message in several dialects and bindings, and what came of each, side by side. */
export function CompareView({ agent }: { readonly agent: string | undefined }) {
  const [picked, pick] = useState<AgentTarget | undefined>(() => targetFrom(agent));
  const [message, setMessage] = useState('Hello');
  const [chosen, setChosen] = useState<readonly string[]>(USUAL_VARIANTS);
  const [streams, setStreams] = useState(false);
  const [results, setResults] = useState<readonly VariantResult[]>();
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const target = completeTarget(picked);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!target) return;
    const control = new AbortController();
    running.current = control;
    setRunning(true);
    const variants = VARIANTS.filter(({ id }) => chosen.includes(id));
    const found = await Promise.all(
      variants.map((variant) => runVariant(urlOf(target), variant, message, streams, control.signal)),
    );
    setRunning(false);
    setResults(found);
  };
  return (
    <div className={styles.tool}>
      <form className={styles.form} onSubmit={(event) => void send(event)}>
        <AgentPicker value={picked} onChange={pick} />
        <TextArea
          label="Message"
          rows={2}
          value={message}
          required
          onChange={(event) => setMessage(event.target.value)}
        />
        <fieldset className={styles.choices}>
          <legend>Send it as</legend>
          {VARIANTS.map(({ id, label }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ target: { checked } }) =>
                  setChosen(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
        <div className={styles.actions}>
          <Button kind="primary" type="submit" disabled={!target || chosen.length === 0 || isRunning}>
            {isRunning ? 'Sending…' : 'Send and compare'}
          </Button>
          {isRunning && <Button onClick={() => running.current?.abort()}>Stop</Button>}
          <label className={styles.choice}>
            <input type="checkbox" checked={streams} onChange={(event) => setStreams(event.target.checked)} /> as a
            stream
          </label>
        </div>
      </form>
      {results ? (
        <Results results={results} />
      ) : (
        <EmptyState title="Nothing compared yet">
          <p>Each dialect gets a task of its own.</p>
        </EmptyState>
      )}
    </div>
  );
}

function Results({ results }: { readonly results: readonly VariantResult[] }) {
  const first = results[0];
  return (
    <div className={styles.columns}>
      {results.map((result) => (
        <Column key={result.variant.id} result={result} base={result === first ? results[1] : first} first={first} />
      ))}
    </div>
  );
}

interface ColumnProps {
  readonly result: VariantResult;
  /** What it is compared with. */
  readonly base: VariantResult | undefined;
  readonly first: VariantResult | undefined;
}

function Column({ result, base, first }: ColumnProps) {
  const { variant, state, text, error, sent = '', received = '' } = result;
  const isSame = first !== undefined && first.text === text && first.state === state;
  return (
    <section className={styles.column} aria-label={variant.label}>
      <h2>{variant.label}</h2>
      <p className={styles.verdict}>
        {state !== undefined && <StateBadge state={state} />}
        {error === undefined ? (
          result !== first && <Badge tone={isSame ? 'good' : 'warn'}>{isSame ? 'same answer' : 'another answer'}</Badge>
        ) : (
          <span role="alert" className={styles.problem}>
            {describeError(error).sentence}
          </span>
        )}
      </p>
      <Marked title="Sent" of={variant.label} text={sent} other={base?.sent} />
      <Marked title="Received" of={variant.label} text={received} other={base?.received} />
    </section>
  );
}

interface MarkedProps {
  readonly title: string;
  /** The name of the variant, which tells this text from others of the same title. */
  readonly of: string;
  readonly text: string;
  readonly other: string | undefined;
}

/** Lines that the other text does not have are marked, for those who do not see colours, too. */
function Marked({ title, of, text, other }: MarkedProps) {
  const lines = compared(text, other ?? text);
  return (
    <>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={styles.marked} tabIndex={0} aria-label={`${title}, ${of}; lines that differ are marked`}>
        <pre>
          {lines.map(({ text: line, differs }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
            differs ? <mark key={index}>{`${line}\n`}</mark> : <span key={index}>{`${line}\n`}</span>,
          )}
        </pre>
      </section>
    </>
  );
}
