import type { CarrierEvents } from '../carried/carrier.ts';
import { readEnvelope, readNotices } from './payloads.ts';

/** Tells a node of the notices of another one. Its own come back to it, and are passed over. */
export function hearNotices({ node, lost, noticed }: CarrierEvents, payload: string): void {
  const read = readNotices(payload);
  if (!read || read.sender === node) return;
  if (read.notices.length === 0) lost();
  for (const [taskId, seq] of read.notices) noticed(taskId, seq);
}

/** Hands a message to its node. Returns the row in which it is, where it was too long to come along. */
export function takeMessage({ commanded, responded }: CarrierEvents, payload: string): string | undefined {
  const envelope = readEnvelope(payload);
  if (!envelope) return undefined;
  if ('row' in envelope) return envelope.row;
  const { kind, id, from, text } = envelope;
  if (kind === 'command') commanded(from, id, text);
  else responded(id, text);
  return undefined;
}
