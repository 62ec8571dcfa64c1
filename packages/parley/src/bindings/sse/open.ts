import type { SendInput, SubscribeInput } from '../../model/operations.ts';
import type { StreamForm } from '../event-stream.ts';
import type { ResponseStream } from '../exchange.ts';
import { LiveStream, type LiveStreamOptions } from '../live-stream.ts';
import type { StreamResult } from '../service.ts';
import { EncoderFrames } from './encoder-frames.ts';
import type { SseEncoding } from './encoding.ts';
import { EventFrames } from './event-frames.ts';
import { COME_BACK, KEEP_ALIVE } from './format.ts';

interface SseOpening extends Omit<LiveStreamOptions, 'frames' | 'idleText' | 'comeBackText'> {
  readonly input: SendInput | SubscribeInput;
  readonly encoding: SseEncoding;
  /** Asks the service for the stream, in the form that the dialect needs. */
  readonly open: (form: StreamForm) => Promise<StreamResult>;
}

interface OpenedSse {
  readonly result: StreamResult;
  readonly body: string | ResponseStream;
}

/** Opens a stream and writes its events as server-sent events; a reply without a task is the only event. */
export async function openSse({ input, encoding, open, ...options }: SseOpening): Promise<OpenedSse> {
  const { dialect, before, after } = encoding;
  const { streamEncoder, staysOpen } = dialect.quirks ?? {};
  const encoder = streamEncoder?.(input);
  const positions = encoder && (encoder.joins ? 'none' : 'frames');
  const result = await open({ staysOpen, positions, remembers: encoder?.remembers });
  if (result.kind === 'reply') {
    const payload = JSON.stringify(dialect.encodeEvent({ kind: 'message', message: result.message }));
    return { result, body: `data: ${before}${payload}${after}\n\n${options.last ?? ''}` };
  }
  const { events } = result;
  const frames = encoder ? new EncoderFrames(events, encoding, encoder) : new EventFrames(events, encoding);
  const texts = { idleText: KEEP_ALIVE, comeBackText: COME_BACK };
  return { result, body: new LiveStream({ ...options, ...texts, frames }) };
}
