import type { ReadHeader } from '../dialect.ts';

/** JAF's bodies cannot be told from those of 0.3; its clients show themselves by headers of their own. */
export function isJafClient(header: ReadHeader): boolean {
  return header('x-a2a-version') !== undefined || header('x-a2a-client') !== undefined;
}
