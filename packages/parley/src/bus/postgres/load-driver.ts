import type pg from 'pg';

/** Loads `pg`, which only those need who have a database. */
export async function loadDriver(): Promise<typeof pg> {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw new MissingDriverError('A bus by Postgres needs another package: npm install pg', { cause });
  }
}

/** Time does not mend it. */
class MissingDriverError extends Error {
  override readonly name = 'MissingDriverError';
}
