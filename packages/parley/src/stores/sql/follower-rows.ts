import type { CursorRecord, PushConfigRecord } from '../../engine/ports.ts';
import type { Cell } from './dialect.ts';
import { nameCell, nameOf } from './names.ts';

export const PUSH_COLUMNS: string = 'task_id, id, tenant, subject, since, created_at, dialect, body';

/** A row of `push_configs`, by `PUSH_COLUMNS`. */
export interface PushColumns {
  readonly task_id: string;
  readonly id: string;
  readonly tenant: string;
  readonly subject: string;
  readonly since: number;
  readonly created_at: number;
  readonly dialect: string;
  readonly body: string;
}

/** A row of `cursors`. */
export interface CursorColumns {
  readonly seq: number;
  readonly lease_number: number;
  readonly lease_node: string | null;
  readonly details: string | null;
}

/** A change of push configs, cursors or kept values, with everything that is JSON already written as such. */
export type FollowerChange =
  | { readonly kind: 'put-push'; readonly taskId: string; readonly cells: readonly Cell[] }
  | { readonly kind: 'delete-push'; readonly cells: readonly Cell[]; readonly isScoped: boolean }
  | { readonly kind: 'create-cursor'; readonly taskId: string; readonly cells: readonly Cell[] }
  | { readonly kind: 'move-cursor'; readonly cells: readonly Cell[] }
  | { readonly kind: 'delete-cursor'; readonly cells: readonly Cell[] }
  | { readonly kind: 'keep-value'; readonly cells: readonly Cell[] };

/** The cells of `putPush`, but for the task that must exist. */
export function pushCells(record: PushConfigRecord): readonly Cell[] {
  const { taskId, id, owner, since, createdAt, dialect, body } = record;
  const { tenant, subject } = owner;
  return [taskId, nameCell(id), nameCell(tenant), nameCell(subject), since, createdAt, dialect, JSON.stringify(body)];
}

export function toPushConfig(row: PushColumns): PushConfigRecord {
  return {
    taskId: row.task_id,
    id: nameOf(row.id),
    owner: { tenant: nameOf(row.tenant), subject: nameOf(row.subject) },
    since: row.since,
    createdAt: row.created_at,
    dialect: row.dialect,
    body: JSON.parse(row.body),
  };
}

/** Writes a cursor as the change that it is: a new one, or a move under the expected lease. */
export function cursorChange(record: CursorRecord, expectedLease: number): FollowerChange {
  const { taskId, seq, lease } = record;
  const place = [taskId, nameCell(record.follower)];
  const state = [seq, lease.number, lease.node, record.details ? JSON.stringify(record.details) : null];
  if (expectedLease === 0) return { kind: 'create-cursor', taskId, cells: [...place, ...state] };
  return { kind: 'move-cursor', cells: [...state, ...place, expectedLease] };
}

export function toCursor(taskId: string, follower: string, row: CursorColumns): CursorRecord {
  return {
    taskId,
    follower,
    seq: row.seq,
    lease: { number: row.lease_number, node: row.lease_node },
    details: row.details === null ? undefined : JSON.parse(row.details),
  };
}
