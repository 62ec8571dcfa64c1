import { StoreError } from 'parley-a2a/sqlite';

/** What went wrong and what to do about it, in one line. */
export function trouble(error: unknown): string {
  const problem = error instanceof Error ? error.message : String(error);
  return ['parley:', problem.replace(/\.?$/, '.'), ...advice(error)].join(' ').replaceAll('\n', ' ');
}

/** Errors of a database that has no file. */
const DATABASE: ReadonlySet<string> = new Set(['UNREACHABLE', 'BAD_ADDRESS', 'NO_DRIVER']);

function advice(error: unknown): readonly string[] {
  if (error instanceof StoreError) {
    return DATABASE.has(error.code) ? [] : ['For another file: PARLEY_DB=other.db npm start'];
  }
  const cause = error instanceof Error ? error.cause : undefined;
  switch (cause instanceof Error && 'code' in cause ? cause.code : undefined) {
    case 'EADDRINUSE':
    case 'EACCES':
      return ['For any free port: PORT=0 npm start'];
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return ['For all addresses: HOST=0.0.0.0 npm start'];
    default:
      return [];
  }
}
