import type { CursorRecord, PushConfigRecord } from '../../../engine/ports.ts';
import type { JsonObject } from '../../../model/basics/json.ts';
import { readBody } from '../config/webhook-config.ts';

/**
 * `active`: it is told of events. `paused`: it has failed so often that it is tried rarely. `disabled`: its receiver wants
 * no more. `ended`: it was given up.
 */
export type DeliveryStanding = 'active' | 'paused' | 'disabled' | 'ended';

/** The state of the deliveries to one webhook. Times are in milliseconds since the epoch. */
export interface DeliveryState {
  /** The place of the log up to which it has been told. */
  readonly position: number;
  readonly standing: DeliveryStanding;
  /** Attempts that have failed in a row. */
  readonly failures: number;
  /** The first of them. */
  readonly failingSince?: number | undefined;
  readonly lastTry?: number | undefined;
  readonly lastError?: string | undefined;
  readonly nextTry?: number | undefined;
}

/** The cursor of a webhook that wants no more stands here: after every event, so that nothing is kept for it. */
const STOPPED = Number.MAX_SAFE_INTEGER;

export function isLive({ standing }: Pick<DeliveryState, 'standing'>): boolean {
  return standing === 'active' || standing === 'paused';
}

/** The state of a webhook by its cursor; that of an earlier config with the same id does not count. */
export function stateOf(config: PushConfigRecord, cursor: CursorRecord | undefined): DeliveryState {
  const { details } = cursor ?? {};
  if (!cursor || details?.revision !== readBody(config).revision) {
    return { position: config.since, standing: 'active', failures: 0 };
  }
  const { position, standing, failures, failingSince, lastTry, lastError, nextTry } = details;
  return {
    position: cursor.seq === STOPPED ? (numberOf(position) ?? config.since) : cursor.seq,
    standing: isStanding(standing) ? standing : 'active',
    failures: numberOf(failures) ?? 0,
    failingSince: numberOf(failingSince),
    lastTry: numberOf(lastTry),
    lastError: typeof lastError === 'string' ? lastError : undefined,
    nextTry: numberOf(nextTry),
  };
}

/** The cursor that keeps a state. */
export function cursorOf(
  { taskId, id }: Pick<PushConfigRecord, 'taskId' | 'id'>,
  revision: string,
  state: DeliveryState,
  lease: CursorRecord['lease'],
): CursorRecord {
  const { position, standing, failures, failingSince, lastTry, lastError, nextTry } = state;
  const details: JsonObject = {
    revision,
    ...(standing !== 'active' && { standing }),
    ...(failures > 0 && { failures }),
    ...(failingSince !== undefined && { failingSince }),
    ...(lastTry !== undefined && { lastTry }),
    ...(lastError !== undefined && { lastError }),
    ...(nextTry !== undefined && { nextTry }),
    ...(!isLive(state) && { position }),
  };
  return { taskId, follower: id, seq: isLive(state) ? position : STOPPED, lease, details };
}

const STANDINGS: readonly DeliveryStanding[] = ['active', 'paused', 'disabled', 'ended'];

function isStanding(value: unknown): value is DeliveryStanding {
  return STANDINGS.some((standing) => standing === value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
