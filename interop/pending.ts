import type { KnownDifference } from './known.ts';

const FILES = ['file, sent', 'file, received', 'file and data, streamed'];

/** What is ours and about to be mended. Entries do no harm once it is; remove them then. */
export const PENDING: readonly KnownDifference[] = ['Python 1.3.0', 'Python 0.3.26', 'Go 2.4.0'].flatMap(
  (peer): KnownDifference[] =>
    (['client', 'server'] as const).map((role) => ({
      peer,
      role,
      version: '0.3',
      binding: 'HTTP+JSON',
      operations: role === 'server' ? FILES : [...FILES, 'file by address, received', 'data, received'],
      reason: 'Pending: bytes are encoded twice by these SDKs.',
      isSometimes: true,
    })),
);
