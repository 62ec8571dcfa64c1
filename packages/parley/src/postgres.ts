export { type PoolMode, type PostgresOptions, postgres, postgresBus } from './stores/postgres/postgres.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './stores/store-error.ts';
