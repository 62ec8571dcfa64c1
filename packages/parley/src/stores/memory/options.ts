import { type Checks, called, checkOptions, flag } from '../../model/options/checks.ts';

export interface MemoryOptions {
  /** Lets several engines of this process use the store; heartbeats show which of them are alive. Default false. */
  readonly shared?: boolean | undefined;
  /** The clock of the store, which decides which keys have expired and which nodes are alive. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const OPTIONS: Checks<MemoryOptions> = { shared: flag, now: called };

/** Throws a TypeError for an option that there is not, or a wrong value. */
export function checkMemoryOptions(options: MemoryOptions): void {
  checkOptions('memory', options, OPTIONS);
}
