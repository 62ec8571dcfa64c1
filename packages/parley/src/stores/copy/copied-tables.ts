import { nulCell } from '../postgres/names.ts';
import type { Cell } from '../sql/dialect.ts';
import { nameCell } from '../sql/names.ts';

export type Row = Readonly<Record<string, Cell>>;

/** A table that both databases have. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns that tell its rows apart. */
  readonly key: readonly string[];
  /** A row of SQLite as Postgres keeps it. */
  readonly convert: (row: Row) => Row;
}

const PLACE = ['tenant', 'subject'] as const;

/** Texts cannot hold U+0000 in Postgres; JSON never has it as it is. */
function withoutNul(row: Row): Row {
  let changed: Record<string, Cell> | undefined;
  for (const [name, cell] of Object.entries(row)) {
    if (typeof cell !== 'string' || !cell.includes('\0')) continue;
    changed ??= { ...row };
    changed[name] = nulCell(cell);
  }
  return changed ?? row;
}

function table(name: string, key: readonly string[], others: readonly string[], convert = withoutNul): CopiedTable {
  return { name, key, columns: [...key, ...others], convert };
}

export const LOG_TABLE: CopiedTable = table('log', ['task', 'seq_to'], ['seq_from', 'kinds', 'body']);

/** Every table but the log and the counts, which are made from the tasks. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  table(
    'tasks',
    ['key'],
    [
      ...['id', 'agent', ...PLACE, 'context_id', 'created_at', 'state', 'status_time', 'lease_node', 'lease_number'],
      ...['seq', 'consumed', 'asking', 'open_from', 'status', 'metadata', 'trimmed'],
    ],
  ),
  table('artifacts', ['task', 'id'], ['position', 'seq', 'body']),
  table('journal', ['task', 'number'], ['seq', 'body']),
  table('contexts', [...PLACE, 'id'], ['created_at', 'last_task_at', 'tasks']),
  table('context_members', ['tenant', 'member', 'context_id'], ['subject']),
  table('context_state', [...PLACE, 'agent', 'context_id', 'key'], ['value', 'expires_at', 'lifetime']),
  table('keys', [...PLACE, 'agent', 'key'], ['expires_at', 'digest', 'task_id', 'message_seq', 'reply']),
  table('push_configs', ['task_id', 'id'], [...PLACE, 'since', 'created_at', 'dialect', 'body']),
  table('cursors', ['task_id', 'follower'], ['seq', 'lease_number', 'lease_node', 'details']),
  table('api_keys', ['id'], ['hash', 'subject', 'scopes', 'created_at', 'tenant']),
  // Values are texts of any kind, which Postgres keeps as it keeps names.
  table('kept_values', ['name'], ['value'], (row) => withoutNul({ ...row, value: nameCell(String(row.value)) })),
];
