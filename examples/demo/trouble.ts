import { StoreError } from 'parley-a2a/sqlite';

/** What went wrong and what to do about it, in one line. */
export function trouble(error: unknown): string {
  const problem = error instanceof Error ? error.message : String(error);
  return ['parley:', problem.replace(/\.?$/, '.'), ...advice(error)].join(' ').replaceAll('\n', ' ');
}

function advice(error: unknown): readonly string[] {
  if (error instanceof StoreError) return ['For another file: PARLEY_DB=other.db npm start'];
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
