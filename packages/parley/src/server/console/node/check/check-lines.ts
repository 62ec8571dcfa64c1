import type { CheckReport, RuleResult, Verdict } from '../../../../check/result.ts';
import { countOf } from '../../../../check/result.ts';
import { type ShownBounds, shownExchange } from '../../../../check/wire/shown-exchange.ts';
import type { CheckedRule, CheckSummary } from '../../../operator/check-api.ts';

const BOUNDS: ShownBounds = { headers: 24, headerText: 300, text: 4_000 };
/** Exchanges that are shown for one rule at one interface, the last ones. */
const MOST_EXCHANGES = 4;
const LONGEST_REASON = 1_000;
/** Anything shorter is part of other words, and no secret. */
const SHORTEST_SECRET = 4;
const VERDICTS: readonly Verdict[] = ['PASS', 'FAIL', 'WARN', 'SKIP', 'N/A'];

/** Takes the credentials of a check out of texts: agents repeat in their errors what they were sent. */
export function hidingOf(headers: Readonly<Record<string, string>>): (text: string) => string {
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/).slice(1)]);
  const secrets = [...new Set(values)].filter(({ length }) => length >= SHORTEST_SECRET);
  // The longest first: a shorter one may be a part of it.
  secrets.sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

export function ruleLine(
  { info, verdict, outcomes, milliseconds }: RuleResult,
  hide: (text: string) => string,
): CheckedRule {
  const { id, area, level, section, text } = info;
  return {
    kind: 'rule',
    id,
    area,
    level,
    section,
    text,
    verdict,
    milliseconds: Math.round(milliseconds),
    outcomes: outcomes.map(({ verdict: own, where, reason, exchanges }) => ({
      verdict: own,
      where,
      reason: reason === undefined ? undefined : hide(reason).slice(0, LONGEST_REASON),
      exchanges: exchanges.slice(-MOST_EXCHANGES).map((exchange) => shownExchange(exchange, BOUNDS, hide)),
    })),
  };
}

export function summaryLine({ results, requests, milliseconds }: CheckReport): CheckSummary {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, countOf(results, verdict)]));
  return {
    kind: 'summary',
    counts: counts as CheckSummary['counts'],
    requests,
    milliseconds: Math.round(milliseconds),
  };
}
