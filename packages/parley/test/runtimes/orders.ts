import type { A2AServer } from 'parley-a2a';
import type { HostOptions } from '../adapters/support/host.ts';

/** What a host in another process is told. */
export type Order =
  | { readonly kind: 'start'; readonly options: HostOptions }
  | { readonly kind: 'load' | 'stop'; readonly number: number };

export interface Result {
  readonly url?: string;
  readonly number?: number;
  readonly load?: A2AServer['load'] | undefined;
  /** What went wrong in the place of all that. */
  readonly problem?: string;
}
