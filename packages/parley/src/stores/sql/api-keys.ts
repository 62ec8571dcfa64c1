import type { ApiKeyRecord } from '../../engine/ports.ts';
import { type Cell, type SqlDialect, writeFor } from './dialect.ts';
import { nameCell, nameOf } from './names.ts';

const COLUMNS = 'id, hash, subject, scopes, created_at, tenant';

/** A row of `api_keys`. */
export interface ApiKeyColumns {
  readonly id: string;
  readonly hash: string;
  readonly subject: string;
  readonly scopes: string;
  readonly created_at: number;
  /** '' where the key belongs to none. */
  readonly tenant: string;
}

/** A change of API keys, with everything that is JSON already written as such. */
export type ApiKeyChange =
  | { readonly kind: 'add'; readonly cells: readonly Cell[] }
  | { readonly kind: 'remove'; readonly cells: readonly Cell[] };

export function apiKeyStatements(dialect: SqlDialect) {
  return writeFor(dialect, {
    one: `SELECT ${COLUMNS} FROM api_keys WHERE id = ?`,
    all: `SELECT ${COLUMNS} FROM api_keys ORDER BY id`,
    add: `INSERT INTO api_keys (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    remove: 'DELETE FROM api_keys WHERE id = ?',
  });
}

export function additionOf({ id, hash, subject, tenant = '', scopes, createdAt }: ApiKeyRecord): ApiKeyChange {
  const cells = [nameCell(id), hash, nameCell(subject), JSON.stringify(scopes), createdAt, nameCell(tenant)];
  return { kind: 'add', cells };
}

export function removalOf(id: string): ApiKeyChange {
  return { kind: 'remove', cells: [nameCell(id)] };
}

export function toApiKey(row: ApiKeyColumns): ApiKeyRecord {
  const { hash, created_at: createdAt } = row;
  const ofTenant = row.tenant === '' ? {} : { tenant: nameOf(row.tenant) };
  const scopes = JSON.parse(row.scopes);
  return { id: nameOf(row.id), hash, subject: nameOf(row.subject), ...ofTenant, scopes, createdAt };
}
