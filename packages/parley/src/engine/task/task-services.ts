import type { Conversations } from '../context/conversations.ts';
import type { EngineLimits } from '../limits.ts';
import type { Committer } from '../log/committer.ts';
import type { Tenure } from '../node/tenure.ts';
import type { Clock, Logger, Vault } from '../ports.ts';
import type { TurnQueue } from '../queue/turn-queue.ts';
import type { RunSlots } from '../turn/run-slots.ts';

/** Everything that the tasks of one node share. */
export interface TaskServices {
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly logger: Logger;
  readonly committer: Committer;
  readonly conversations: Conversations;
  readonly slots: RunSlots;
  /** The turns that wait for any node. Undefined where no other node could begin them. */
  readonly queue?: Pick<TurnQueue, 'mustWait' | 'add' | 'isFront'> | undefined;
  readonly newId: () => string;
  readonly tenure: Tenure;
  /** Undefined: journals keep no secrets. */
  readonly vault?: Vault | undefined;
}
