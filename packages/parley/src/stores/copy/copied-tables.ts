import { type NameCells, nulCell } from '../postgres/names.ts';
import type { Cell } from '../sql/dialect.ts';
import { nameCell } from '../sql/names.ts';

export type Row = Readonly<Record<string, Cell>>;

/** A table that both databases have. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns that tell its rows apart. */
  readonly key: readonly string[];
}

const PLACE = ['tenant', 'subject'] as const;

function table(name: string, key: readonly string[], others: readonly string[]): CopiedTable {
  return { name, key, columns: [...key, ...others] };
}

/** Columns with names that callers and agents choose, which are in indexes. */
const NAMES: readonly string[] = [...PLACE, 'context_id', 'member', 'key', 'id', 'follower'];

/** A row of SQLite as Postgres keeps it: without U+0000, long names by their digests, and values as names are kept. */
export function convertRow({ name: table }: CopiedTable, row: Row, names: NameCells): Row {
  const isNamed = table !== 'api_keys';
  let changed: Record<string, Cell> | undefined;
  for (const [name, cell] of Object.entries(row)) {
    if (typeof cell !== 'string') continue;
    const text = table === 'kept_values' && name === 'value' ? nameCell(cell) : cell;
    const kept = isNamed && NAMES.includes(name) ? names.of(text) : nulCell(text);
    if (kept === cell) continue;
    changed ??= { ...row };
    changed[name] = kept;
  }
  return changed ?? row;
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
  table('kept_values', ['name'], ['value']),
];
