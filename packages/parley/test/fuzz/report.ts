export interface FuzzReport {
  readonly requests: number;
  /** Requests that were carried out, not refused. A fuzzer whose requests are all refused looks at nothing else. */
  readonly served: number;
  readonly templates: number;
  /** One line for each, with the request that shows it. */
  readonly problems: readonly string[];
  /** Megabytes after the first rounds and at the end, garbage collected. */
  readonly heap: readonly [number, number];
}
