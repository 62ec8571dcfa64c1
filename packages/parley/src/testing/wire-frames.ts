/** A frame of an event stream as it came, with the blank line that ends it. */
interface WireFrame {
  readonly text: string;
  /** It has data; others are comments. */
  readonly isEvent: boolean;
}

const FRAME_END = /\r\n\r\n|\n\n|\r\r/;

export function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
}

export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** The frames of a body; what the last one lacks at its end it lacks here too. */
export async function* wireFrames(reader: BodyReader): AsyncGenerator<WireFrame, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    text += decoder.decode(step.value, { stream: true });
    for (let end = FRAME_END.exec(text); end; end = FRAME_END.exec(text)) {
      const length = end.index + end[0].length;
      yield frameOf(text.slice(0, length));
      text = text.slice(length);
    }
  }
  text += decoder.decode();
  if (text !== '') yield frameOf(text);
}

function frameOf(text: string): WireFrame {
  return { text, isEvent: /^data:/m.test(text) };
}

/** A response with another body, which is asked for its texts one by one; `source` is left when no more is wanted. */
export function responseOf(texts: AsyncIterator<string>, head: ResponseInit, source?: BodyReader): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await texts.next().catch(async (error: unknown) => {
          await source?.cancel().catch(() => {});
          throw error;
        });
        if (!step.done) {
          controller.enqueue(encoder.encode(step.value));
          return;
        }
        controller.close();
        await source?.cancel();
      },
      // The texts may be waiting for the source, so that only the source can be told.
      cancel: async (reason) => {
        await source?.cancel(reason);
        void texts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: head.status, statusText: head.statusText, headers: head.headers });
}
