export interface CheckRequest {
  /** One of this server's agents, by its name; or `url`. */
  readonly agent?: string | undefined;
  /** The address of an outside agent. */
  readonly url?: string | undefined;
  /**
   * Sent with every request of the check. An agent of this server gets the credential of the operator's own request, unless a
   * header here is the same.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Only the rules of these areas, or with these ids. Default: all of them. */
  readonly only?: readonly string[] | undefined;
}

/** A line of a check: the number of rules, each rule as soon as it is known, then one summary; or an error, which is the last. */
export type CheckLine = CheckBegin | CheckedRule | CheckSummary | CheckFailure;

export interface CheckBegin {
  readonly kind: 'begin';
  readonly url: string;
  /** Its name, as the card has it. */
  readonly agent: string;
  readonly interfaces: readonly string[];
  /** The number of rules that are looked at. */
  readonly rules: number;
}

export interface CheckSummary {
  readonly kind: 'summary';
  /** By their verdicts. */
  readonly counts: Readonly<Record<CheckVerdict, number>>;
  readonly requests: number;
  readonly milliseconds: number;
}

/** The check could not begin, or not go on. */
export interface CheckFailure {
  readonly kind: 'error';
  /** E.g. `UNREACHABLE`, `UNAUTHENTICATED`, `NOT_FOUND`, `INVALID_RESPONSE`, `TIMEOUT`. */
  readonly code: string;
  readonly message: string;
}

export type CheckVerdict = 'PASS' | 'FAIL' | 'WARN' | 'SKIP' | 'N/A';

export interface CheckedRule {
  readonly kind: 'rule';
  readonly id: string;
  readonly area: string;
  readonly level: string;
  readonly section: string;
  readonly text: string;
  readonly verdict: CheckVerdict;
  readonly milliseconds: number;
  readonly outcomes: readonly CheckedOutcome[];
}

export interface CheckedOutcome {
  readonly verdict: CheckVerdict;
  /** E.g. `1.0 jsonrpc`. */
  readonly where?: string | undefined;
  readonly reason?: string | undefined;
  /** The requests and responses of the rule; empty if it judges those of others. The last ones, bounded, without secrets. */
  readonly exchanges: readonly CheckedExchange[];
}

export interface CheckedExchange {
  readonly request: CheckedMessage & { readonly method: string; readonly url: string };
  /** Undefined where no response came. */
  readonly response?: (CheckedMessage & { readonly status: number }) | undefined;
  /** Why there is no response, or only a part of it. */
  readonly trouble?: string | undefined;
}

interface CheckedMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}
