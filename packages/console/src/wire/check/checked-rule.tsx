import { memo, type ReactNode, useState } from 'react';
import type {
  CheckedExchange,
  CheckedOutcome,
  CheckedRule,
  CheckVerdict,
} from '../../../../parley/src/server/operator/check-api.ts';
import { Badge, Code, type Tone } from '../../design/components/index.ts';
import { pretty, shownText } from '../traffic/describe-exchange.ts';
import styles from './check.module.css';

/** In the order of what is most worth a look. */
export const VERDICT_TONES: Readonly<Record<CheckVerdict, Tone>> = {
  FAIL: 'bad',
  WARN: 'warn',
  PASS: 'good',
  SKIP: 'plain',
  'N/A': 'plain',
};

/** A rule, what came of it, and on demand what was sent and received. */
export const CheckedRuleItem = memo(function CheckedRuleItem({ rule }: { readonly rule: CheckedRule }) {
  const [isOpen, setOpen] = useState(false);
  const { id, verdict, level, section, text, outcomes } = rule;
  const reasons = [
    ...Map.groupBy(outcomes.filter(hasReason), ({ reason, verdict: one }) => `${one} ${reason}`).values(),
  ];
  return (
    <li>
      <div className={styles.ruleHead}>
        <Badge tone={VERDICT_TONES[verdict]}>{verdict}</Badge>
        <code className={styles.id}>{id}</code>
        <span className={styles.note}>
          {level} · {section}
        </span>
      </div>
      <p className={styles.text}>{codeIn(text)}</p>
      {reasons.map((same) => (
        <p key={`${same[0]?.verdict} ${same[0]?.reason}`} className={styles[toneOf(same[0]?.verdict)]}>
          {placesOf(same)}
          {shownText(same[0]?.reason ?? '', {})}
        </p>
      ))}
      {outcomes.some(({ exchanges }) => exchanges.length > 0) && (
        <details className={styles.evidence} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Requests and responses</summary>
          {isOpen && outcomes.map((outcome, index) => <Evidence key={outcome.where ?? index} outcome={outcome} />)}
        </details>
      )}
    </li>
  );
});

/** The words of a rule, with what stands between backticks as code. */
function codeIn(text: string): readonly ReactNode[] {
  return text.split('`').map((piece, place) =>
    place % 2 === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text of a rule never changes
      <code key={place}>{piece}</code>
    ),
  );
}

function hasReason({ reason }: CheckedOutcome): boolean {
  return reason !== undefined && reason !== '';
}

function toneOf(verdict: CheckVerdict | undefined): 'problem' | 'warning' | 'note' {
  return verdict === 'FAIL' ? 'problem' : verdict === 'WARN' ? 'warning' : 'note';
}

function placesOf(outcomes: readonly CheckedOutcome[]): string {
  const places = outcomes.flatMap(({ where }) => where ?? []);
  return places.length === 0 ? '' : `${places.join(', ')}: `;
}

function Evidence({ outcome: { where, verdict, exchanges } }: { readonly outcome: CheckedOutcome }) {
  return (
    <div className={styles.outcome}>
      {where !== undefined && (
        <p className={styles.where}>
          {where} <Badge tone={VERDICT_TONES[verdict]}>{verdict}</Badge>
        </p>
      )}
      {exchanges.length === 0 && <p className={styles.note}>It was judged by what other rules had sent.</p>}
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div key={index} className={styles.exchange}>
          <Code text={requestText(exchange)} label="the request" wrap isMinor />
          <Code text={responseText(exchange)} label="the response" wrap isMinor />
        </div>
      ))}
    </div>
  );
}

function requestText({ request }: CheckedExchange): string {
  return messageText(`${request.method} ${request.url}`, request);
}

function responseText({ response, trouble }: CheckedExchange): string {
  if (!response) return trouble ?? 'no response';
  const text = messageText(`HTTP ${response.status}`, response);
  return trouble === undefined ? text : `${text}\n\n${trouble}`;
}

function messageText(first: string, { headers, body }: Pick<CheckedExchange['request'], 'headers' | 'body'>): string {
  const head = [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return shownText(body === undefined ? head : `${head}\n\n${pretty(body)}`, {});
}
