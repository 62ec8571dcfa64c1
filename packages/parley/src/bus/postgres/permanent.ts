/** Conditions of Postgres that time does not mend: a wrong password, user or database. */
const PERMANENT: ReadonlySet<unknown> = new Set(['28P01', '28000', '3D000', '42501']);

/** Tells a mistake in the settings from a database that is down. */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'MissingDriverError' || ('code' in error && PERMANENT.has(error.code));
}
