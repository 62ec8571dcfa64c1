import type { Metadata } from '@grpc/grpc-js';
import type { Wire } from '../rpc.ts';

const RESUME = 'urn:parley:ext:resume:v1';
const EXTENSIONS = 'a2a-extensions';

/**
 * Events of SSE have their positions beside them; over gRPC the extension brings them. Tells whether it was asked for already,
 * by its name or by what asks for it (rule extension.inactive).
 */
export function withPositions(metadata: Metadata): boolean {
  const asked = metadata.get(EXTENSIONS).join(', ');
  const implied = ['a2a-last-event-id', 'idempotency-key'].some((name) => metadata.get(name).length > 0);
  if (implied || asked.includes(RESUME)) return true;
  metadata.set(EXTENSIONS, asked === '' ? RESUME : `${asked}, ${RESUME}`);
  return false;
}

/** The list of active extensions without the one that was asked for here. */
export function withoutResume(extensions: string): string {
  return extensions
    .split(', ')
    .filter((uri) => uri !== RESUME)
    .join(', ');
}

/** Takes the position out of an event, so that it is what other bindings have. */
export function takePosition(event: Wire): number | undefined {
  const holder = event.task ?? event.statusUpdate ?? event.artifactUpdate;
  const note = holder?.metadata?.[RESUME];
  if (note?.seq === undefined) return undefined;
  const { seq } = note;
  delete note.seq;
  if (Object.keys(note).length === 0) delete holder.metadata[RESUME];
  if (Object.keys(holder.metadata).length === 0) delete holder.metadata;
  return seq;
}
