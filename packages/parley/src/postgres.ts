export { type PoolMode, type PostgresOptions, postgres, postgresBus } from './stores/postgres/postgres.ts';
export { StoreError, type StoreErrorCode } from './stores/store-error.ts';
