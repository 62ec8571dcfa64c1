export type { Synchronous } from './stores/sqlite/file/connections.ts';
export { type SqliteOptions, sqlite } from './stores/sqlite/sqlite.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './stores/store-error.ts';
