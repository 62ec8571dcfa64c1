import { withoutPasswords } from '../../../config/hidden.ts';
import { inspectDatabase } from '../../../stores/postgres/inspect.ts';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';

const UNREACHABLE = 'Check the address, the password and that this machine may connect to the database';

/** Looks at a database that servers share: whether it is there, ours, may be written, and tells of changes. */
export async function checkSharedStore(url: string): Promise<Finding> {
  try {
    const { name, version, schema, latestSchema, roundTrip, isReadOnly, pool, hearsNotices } =
      await inspectDatabase(url);
    const tables = schema === 0 ? 'no tables yet; the server makes them' : `schema ${schema}`;
    const about = `Postgres ${version} at ${name} (${tables}, ${roundTrip} ms for a statement)`;
    if (schema > latestSchema) {
      return warn('database', about, `This program knows schema ${latestSchema}; run the release that has changed it`);
    }
    if (isReadOnly) return fail('database', `${about} is a standby`, 'Use the address of the primary');
    if (hearsNotices === false) {
      return fail('database', `${about} loses notifications`, 'Behind a pooler of transactions, add ?pool=transaction');
    }
    if (pool === 'transaction') {
      return warn('database', `${about} is polled`, 'That is what pool=transaction asks for; it costs some 100 ms');
    }
    return ok('database', about);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'NO_DRIVER';
    const advice = isMissing ? 'Install it beside parley-a2a' : UNREACHABLE;
    return fail('database', withoutPasswords(textOf(error)) || 'The database cannot be reached', advice);
  }
}
