import type { Scenario } from './scenario.ts';

/** What a server process is told. */
export interface Orders {
  readonly agent: Scenario['agent'];
  readonly file: string;
  /** Where each run of a tool is a line. */
  readonly effects: string;
  /** It kills itself at the first point that is not in this file yet, and adds it. */
  readonly points: string;
  /** The base URL of the model server. */
  readonly model: string;
}
