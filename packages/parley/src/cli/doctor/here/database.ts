import { inspectFile } from '../../../stores/sqlite/file/inspect.ts';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';

const ADVICE: Readonly<Record<string, string>> = {
  NOT_WRITABLE: 'Give this user the right to write the file and its folder, or choose another --db FILE',
  FOREIGN_FILE: 'Choose another --db FILE',
  NEWER_SCHEMA: 'Run the release that has written it, or a newer one',
  CORRUPT:
    'Stop the server, keep a copy of the file, and restore a backup; parley db verify FILE --salvage NEW saves what can be read',
};

/** Looks at the file of the tasks: whether it is there, ours, whole, and free. */
export function checkDatabase(file: string | undefined, path: string, hasOwnStore = false): Finding {
  if (hasOwnStore) return ok('database', 'The configuration has a store of its own, which is not looked at');
  if (file === undefined) {
    return warn('database', 'Tasks are kept in memory and end with the process', '--db FILE keeps them');
  }
  try {
    const { exists, bytes, schema, latestSchema, isInUse, damage } = inspectFile(path);
    if (!exists) return ok('database', `${file} is not there yet; the server makes it`);
    if (damage && damage.length > 0)
      return fail('database', `${file} is damaged: ${damage.join('; ')}`, ADVICE.CORRUPT ?? '');
    const size = `${Math.ceil(bytes / 1024).toLocaleString('en-US')} KB`;
    const version =
      schema < latestSchema && schema > 0
        ? `schema ${schema}, the next start makes it ${latestSchema}`
        : `schema ${schema}`;
    const whole = damage ? 'whole' : 'too large to be looked through';
    if (isInUse) {
      return warn(
        'database',
        `${file} (${size}, ${version}, ${whole}) is in use by a server`,
        'That is right while yours runs; a second one cannot use it',
      );
    }
    return ok('database', `${file}: ${size}, ${version}, ${whole}`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return fail('database', textOf(error), ADVICE[code] ?? 'Choose another --db FILE');
  }
}
