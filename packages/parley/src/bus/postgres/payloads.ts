/** NOTIFY takes 7,999 bytes at most. */
const LONGEST_PAYLOAD = 7_900;

/** JSON without a character beyond ASCII, so that its length is its size and every encoding of a database has it. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A message as a payload; undefined where it is too long for one. */
export function messagePayload(message: BusMessage): string | undefined {
  // Each character has a byte at least, so that long texts need not be written to be measured.
  if (message.text.length > LONGEST_PAYLOAD) return undefined;
  const payload = asciiJson(message);
  return payload.length <= LONGEST_PAYLOAD ? payload : undefined;
}

/** Notices of one node: the ids of tasks and their last seqs, by turns. Those that fit into one payload are in one. */
export function noticePayloads(sender: string, notices: ReadonlyMap<string, number>): readonly string[] {
  const payloads: string[] = [];
  const head = `[${asciiJson(sender)}`;
  let payload = head;
  for (const [taskId, seq] of notices) {
    const entry = `,${asciiJson(taskId)},${seq}`;
    // A name that fits into no payload has readers that poll.
    if (head.length + entry.length >= LONGEST_PAYLOAD) continue;
    if (payload.length + entry.length >= LONGEST_PAYLOAD) {
      payloads.push(`${payload}]`);
      payload = head;
    }
    payload += entry;
  }
  return payload === head ? payloads : [...payloads, `${payload}]`];
}

/** The notice that a node which has lost notices sends to every other node. */
export function lossPayload(sender: string): string {
  return `[${asciiJson(sender)}]`;
}

interface ReadNotices {
  readonly sender: string;
  /** Empty: notices may be lost. */
  readonly notices: readonly (readonly [taskId: string, seq: number])[];
}

/** Returns undefined for what is no payload of notices. */
export function readNotices(payload: string): ReadNotices | undefined {
  const values = parsed(payload);
  if (!Array.isArray(values)) return undefined;
  const [sender, ...rest] = values as readonly unknown[];
  if (typeof sender !== 'string') return undefined;
  const notices: (readonly [string, number])[] = [];
  for (let index = 0; index + 1 < rest.length; index += 2) {
    const [taskId, seq] = [rest[index], rest[index + 1]];
    if (typeof taskId === 'string' && Number.isSafeInteger(seq)) notices.push([taskId, seq as number]);
  }
  return { sender, notices };
}

/** A command, or the response to one. */
export interface BusMessage {
  readonly kind: 'command' | 'response';
  readonly id: string;
  /** The node that sends it. */
  readonly from: string;
  readonly text: string;
}

/** The message itself where it is short, or the number of its row in the table. */
type Envelope = BusMessage | { readonly row: string };

/** Returns undefined for what is no message. */
export function readEnvelope(payload: string): Envelope | undefined {
  const value = parsed(payload) as (Partial<BusMessage> & { readonly row?: unknown }) | null | undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof value.row === 'string') return { row: value.row };
  const { kind, id, from, text } = value;
  if (kind !== 'command' && kind !== 'response') return undefined;
  if (typeof id !== 'string' || typeof from !== 'string' || typeof text !== 'string') return undefined;
  return { kind, id, from, text };
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
