import type { Metadata } from '@grpc/grpc-js';
import { A2AError, quoted } from '../../../../model/errors/errors.ts';

/** Headers that say something of an HTTP exchange; gRPC has its own. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'host',
  'te',
  'transfer-encoding',
  'user-agent',
]);

/** The name of the position in metadata. */
const RENAMED: Readonly<Record<string, string>> = { 'last-event-id': 'a2a-last-event-id' };

/** Fills metadata with the headers of a call. Throws INVALID_PARAMS for one that gRPC cannot carry. */
export function fillMetadata(metadata: Metadata, headers: Headers): Metadata {
  for (const [name, value] of headers) {
    if (OF_HTTP.has(name) || name.startsWith('grpc-')) continue;
    try {
      metadata.set(RENAMED[name] ?? name, name.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
    } catch (cause) {
      throw new A2AError('INVALID_PARAMS', `gRPC cannot carry the header ${quoted(name)} of the call`, { cause });
    }
  }
  return metadata;
}

/** Reads a text of metadata; undefined where it is not there. */
export function textIn(metadata: Metadata | undefined, name: string): string | undefined {
  const [value] = metadata?.get(name) ?? [];
  return typeof value === 'string' ? value : undefined;
}
