import type { Parsing } from './host.ts';

/** What middleware leaves of a body, for frameworks whose own is not installed here. */
export function parsedAs(parsing: Parsing, bytes: Buffer): unknown {
  switch (parsing) {
    case 'object':
      return bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
    case 'text':
      return bytes.toString('utf8');
    case 'bytes':
      return bytes;
    case 'lost':
      return undefined;
  }
}
