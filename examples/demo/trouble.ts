import { StoreError } from 'parley-a2a/sqlite';

const ANY_PORT = 'For any free port: PORT=0 npm start';
const ALL_ADDRESSES = 'For all addresses: HOST=0.0.0.0 npm start';

/** What went wrong and what to do about it, in one line. */
export function trouble(error: unknown): string {
  const problem = error instanceof Error ? error.message : String(error);
  return `parley: ${problem.replace(/\.?$/, '.')} ${adviceFor(error)}`.trimEnd().replaceAll('\n', ' ');
}

function adviceFor(error: unknown): string {
  if (error instanceof StoreError) {
    const hasFile = !['UNREACHABLE', 'BAD_ADDRESS', 'NO_DRIVER'].includes(error.code);
    return hasFile ? 'For another file: PARLEY_DB=other.db npm start' : '';
  }
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE' || code === 'EACCES') return ANY_PORT;
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? ALL_ADDRESSES : '';
}
