import type { RuleInfo } from './table/rule-info.ts';
import type { Exchange } from './wire/exchange.ts';

/**
 * PASS: kept. FAIL: a MUST is broken, or a rule of ours on a server that claims to keep those. WARN: a SHOULD is broken.
 * SKIP: this server did not show it. N/A: the rule says nothing about this server.
 */
export type Verdict = 'PASS' | 'FAIL' | 'WARN' | 'SKIP' | 'N/A';

/** The result of a rule at one interface. */
export interface Outcome {
  readonly verdict: Verdict;
  /** The interface, such as `1.0 jsonrpc`; undefined where the rule is about the whole server. */
  readonly where?: string | undefined;
  /** Why it was not passed. */
  readonly reason?: string | undefined;
  readonly exchanges: readonly Exchange[];
}

export interface RuleResult {
  readonly info: RuleInfo;
  readonly verdict: Verdict;
  readonly outcomes: readonly Outcome[];
  readonly milliseconds: number;
}

export interface CheckReport {
  readonly url: string;
  readonly agent: string;
  /** The interfaces that were looked at. */
  readonly interfaces: readonly string[];
  /** Those that could not be, each with the reason. */
  readonly interfacesLeftOut: readonly string[];
  readonly results: readonly RuleResult[];
  /** Rules of ours that were left out, since the card declares none of our extensions. */
  readonly leftOut: number;
  readonly requests: number;
  readonly milliseconds: number;
}

const GRAVEST: readonly Verdict[] = ['FAIL', 'WARN', 'PASS', 'SKIP', 'N/A'];

/** One verdict for several interfaces: what is broken anywhere is broken. */
export function summed(outcomes: readonly Outcome[]): Verdict {
  return GRAVEST.find((verdict) => outcomes.some((outcome) => outcome.verdict === verdict)) ?? 'N/A';
}

export function countOf(results: readonly RuleResult[], verdict: Verdict): number {
  return results.filter((result) => result.verdict === verdict).length;
}
