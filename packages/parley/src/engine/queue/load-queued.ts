import { isTerminal } from '../../model/states.ts';
import type { QueuedTurn, Store, TaskHead, Vault } from '../ports.ts';
import { openSecret, type SecretContent } from '../replay/sealed-secret.ts';
import { sealedOf } from './queued-turn.ts';

/** The next turn of a task, where it waits for any node. */
export interface LoadedTurn {
  readonly queued?: QueuedTurn | undefined;
  /** The secret that it begins with. */
  readonly queuedSecret?: SecretContent | undefined;
}

const NONE: LoadedTurn = {};

/** Loads the turn of a stored task that waits for any node. */
export async function loadQueued(
  { exclusive, queue }: Pick<Store, 'exclusive' | 'queue'>,
  { id, status }: TaskHead,
  vault: Vault | undefined,
): Promise<LoadedTurn> {
  const queued = exclusive || isTerminal(status.state) ? undefined : await queue?.queuedTurn(id);
  if (!queued) return NONE;
  const sealed = sealedOf(queued);
  return { queued, queuedSecret: sealed === undefined ? undefined : await openSecret(vault, id, sealed) };
}
