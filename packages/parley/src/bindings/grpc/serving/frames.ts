import type { DescMessage } from '@bufbuild/protobuf';
import { isPlainObject } from '../../../model/basics/json.ts';
import { encodedAs } from '../../../model/basics/shared-encoding.ts';
import { RESUME_EXTENSION } from '../../../model/card.ts';
import type { StreamEvent } from '../../../model/task.ts';
import type { EventList, EventStream, StreamSnapshot } from '../../event-stream.ts';
import type { ResponseStream } from '../../exchange.ts';
import { writeFrames } from '../codec/write.ts';

/** The first byte of a frame that is the status of its stream, as gRPC-Web has it; that of a message is 0. */
export const STATUS_FRAME = 0x80;
/** The flag and the length before each message. */
export const FRAME_HEAD = 5;

/** A message that is there from the start. */
export class WholeResponse implements ResponseStream {
  onClose: (() => void) | undefined;
  #frame: Uint8Array | undefined;
  #isOver = false;

  constructor(frame: Uint8Array) {
    this.#frame = frame;
  }

  /** The bytes that are still to be read. */
  get size(): number {
    return this.#frame?.length ?? 0;
  }

  read(): Uint8Array | undefined {
    const frame = this.#frame;
    this.#frame = undefined;
    this.#isOver = true;
    return frame;
  }

  get isComplete(): boolean {
    return this.#isOver;
  }

  whenReadable(callback: () => void): void {
    callback();
  }

  close(): void {
    this.#frame = undefined;
    this.onClose?.();
  }
}

interface EventMessagesOptions {
  readonly message: DescMessage;
  /** Tells these messages from other forms of the same events. */
  readonly form: string;
  readonly encodeEvent: (event: StreamEvent) => unknown;
  /** Events carry their positions: the client asked for our extension. */
  readonly hasPositions: boolean;
}

/** Writes events as messages of gRPC: what is ready at once is one piece, which readers that are equally far share. */
export class EventMessages implements ResponseStream {
  readonly #events: EventStream;
  readonly #options: EventMessagesOptions;
  readonly #form: string;

  constructor(events: EventStream, options: EventMessagesOptions) {
    this.#events = events;
    this.#options = options;
    this.#form = `grpc ${options.form} ${options.hasPositions} ${events.form ?? ''}`;
  }

  get isComplete(): boolean {
    return this.#events.isComplete;
  }

  read(): '' | Uint8Array | undefined {
    for (;;) {
      const batch = this.#events.poll();
      if (!batch) return this.#events.isOver ? undefined : '';
      const { snapshot, events } = batch;
      const frames =
        !snapshot && this.#events.isShared
          ? encodedAs(events, this.#form, () => this.#written(undefined, events))
          : this.#written(snapshot, events);
      if (frames.length > 0) return frames;
    }
  }

  whenReadable(callback: () => void): void {
    this.#events.whenReady(callback);
  }

  close(): void {
    this.#events.close();
  }

  #written(snapshot: StreamSnapshot | undefined, { records }: EventList): Uint8Array {
    const messages: unknown[] = [];
    if (snapshot) messages.push(this.#encoded({ kind: 'task', task: snapshot.task }, snapshot.seq));
    for (const record of records) {
      const event = this.#events.eventOf(record);
      if (event) messages.push(this.#encoded(event, record.event.seq));
    }
    return writeFrames(this.#options.message, messages);
  }

  #encoded(event: StreamEvent, seq: number): unknown {
    const { encodeEvent, hasPositions } = this.#options;
    return encodeEvent(hasPositions ? withPosition(event, seq) : event);
  }
}

/** gRPC has no place beside a message: the position stands in its metadata, with what the extension says there already. */
function withPosition(event: StreamEvent, seq: number): StreamEvent {
  switch (event.kind) {
    case 'task':
      return { ...event, task: { ...event.task, metadata: noted(event.task.metadata, seq) } };
    case 'status':
    case 'artifact':
      return { ...event, metadata: noted(event.metadata, seq) };
    case 'message':
      return event;
  }
}

function noted(metadata: Readonly<Record<string, unknown>> | undefined, seq: number) {
  const note = metadata?.[RESUME_EXTENSION];
  return { ...metadata, [RESUME_EXTENSION]: { ...(isPlainObject(note) && note), seq } } as NonNullable<
    Extract<StreamEvent, { kind: 'status' }>['metadata']
  >;
}
