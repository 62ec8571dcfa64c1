export interface CheckRequest {
  /** One of this server's agents, by its name; or `url`. */
  readonly agent?: string | undefined;
  /** The address of an outside agent. */
  readonly url?: string | undefined;
  /** Sent with every request of the check. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A line of a check: the number of rules, each rule as soon as it is known, then one summary; or an error, which is the last. */
export type CheckLine =
  | { readonly kind: 'begin'; readonly url: string; readonly agent: string; readonly interfaces: readonly string[] }
  | CheckedRule
  | {
      readonly kind: 'summary';
      /** By their verdicts. */
      readonly counts: Readonly<Record<CheckVerdict, number>>;
      readonly requests: number;
      readonly milliseconds: number;
    }
  | { readonly kind: 'error'; readonly message: string };

export type CheckVerdict = 'PASS' | 'FAIL' | 'WARN' | 'SKIP' | 'N/A';

export interface CheckedRule {
  readonly kind: 'rule';
  readonly id: string;
  readonly area: string;
  readonly level: string;
  readonly section: string;
  readonly text: string;
  readonly verdict: CheckVerdict;
  readonly outcomes: readonly {
    readonly verdict: CheckVerdict;
    /** E.g. `1.0 jsonrpc`. */
    readonly where?: string | undefined;
    readonly reason?: string | undefined;
  }[];
}
