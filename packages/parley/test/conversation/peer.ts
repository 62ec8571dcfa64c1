import type { Message, Part, Task } from 'parley-a2a';
import type { StreamEvent } from '../../src/model/task.ts';

/** What a conversation sends, whatever version and binding carry it. */
export interface Sending {
  readonly messageId: string;
  /** The whole content, where there are no parts. */
  readonly text?: string;
  readonly parts?: readonly Part[];
  readonly taskId?: string;
  readonly contextId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly extensions?: readonly string[];
  readonly metadata?: Message['metadata'];
  /** Whether to answer before the turn has ended; left out: the request does not say. */
  readonly atOnce?: boolean;
  readonly historyLength?: number;
  /** `Idempotency-Key`. */
  readonly key?: string;
}

/** One event of a stream and its place in the task's log; a bare message has none. */
export interface Frame {
  readonly id: number | undefined;
  readonly event: StreamEvent;
}

export interface Frames {
  /** The next frame; undefined when the stream has ended. Throws a `PeerError` where the stream brings one. */
  next(): Promise<Frame | undefined>;
  rest(): Promise<Frame[]>;
  /** Frames up to and including the first that fits. */
  until(fits: (frame: Frame) => boolean): Promise<Frame[]>;
  /** Goes away without reading on. */
  close(): Promise<void>;
}

export interface Page {
  readonly ids: readonly string[];
  readonly totalSize: number;
}

/**
 * A client of one version over one binding. Everything it gives back is in the form that is common to all of them, read
 * from the wire as that version's documents say.
 */
export interface Peer {
  readonly name: string;
  readonly version: '1.0' | '0.3';
  send(sending: Sending): Promise<Task | Message>;
  stream(sending: Sending): Promise<Frames>;
  get(id: string, historyLength?: number): Promise<Task>;
  cancel(id: string): Promise<Task>;
  subscribe(id: string, position?: number): Promise<Frames>;
  /** Undefined where the version cannot list. */
  readonly list: ((contextId: string) => Promise<Page>) | undefined;
  /** Calls something that there is not. */
  callUnknown(): Promise<unknown>;
  /** Sends with another content type. */
  sendAs(contentType: string, sending: Sending): Promise<unknown>;
}

/** An error in the one word that all bindings have for it. */
export class PeerError extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(`${reason}: ${message}`);
    this.reason = reason;
  }
}

/** The reason for which a call is refused, at once or in its stream; throws if it is not. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    const result = await call;
    if (isFrames(result)) await result.rest();
    throw new Error(`The call succeeded: ${JSON.stringify(result)}`);
  } catch (error) {
    if (error instanceof PeerError) return error.reason;
    throw error;
  }
}

function isFrames(value: unknown): value is Frames {
  return typeof value === 'object' && value !== null && 'rest' in value;
}

/** JSON-RPC codes, which bodies of 0.3 REST errors have too. */
const REASONS: Readonly<Record<number, string>> = {
  [-32001]: 'TASK_NOT_FOUND',
  [-32002]: 'TASK_NOT_CANCELABLE',
  [-32003]: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  [-32004]: 'UNSUPPORTED_OPERATION',
  [-32005]: 'CONTENT_TYPE_NOT_SUPPORTED',
  [-32006]: 'INVALID_AGENT_RESPONSE',
  [-32007]: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  [-32008]: 'EXTENSION_SUPPORT_REQUIRED',
  [-32009]: 'VERSION_NOT_SUPPORTED',
  [-32600]: 'INVALID_REQUEST',
  [-32601]: 'METHOD_NOT_FOUND',
  [-32602]: 'INVALID_PARAMS',
  [-32603]: 'INTERNAL',
  [-32700]: 'PARSE_ERROR',
};

export function reasonOfCode(code: number): string {
  return REASONS[code] ?? `unknown code ${code}`;
}
