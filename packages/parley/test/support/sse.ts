/** One event of an SSE stream as it was written. */
export interface SseEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** Reads a stream event by event; comments, and when to come back, are skipped unless `onComment` wants them. */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  onComment: (comment: string) => void = () => {},
): AsyncGenerator<SseEvent, void, void> {
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const bytes of body) {
    buffer += decoder.decode(bytes, { stream: true });
    buffer = afterComments(buffer, onComment);
    for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
      const block = buffer.slice(0, end);
      buffer = afterComments(buffer.slice(end + 2), onComment);
      yield parseBlock(block);
    }
  }
  // The last line of a stream that the server ends before its task.
  if (buffer !== '' && !/^retry: \d+\n$/.test(buffer))
    throw new Error(`The stream ended inside an event: ${JSON.stringify(buffer)}`);
}

/** What is left behind the comment lines that a text begins with. */
function afterComments(text: string, onComment: (comment: string) => void): string {
  let left = text;
  while (left.startsWith(':') && left.includes('\n')) {
    const end = left.indexOf('\n');
    onComment(left.slice(0, end));
    left = left.slice(end + 1);
  }
  return left;
}

function parseBlock(block: string): SseEvent {
  const fields = new Map<string, string[]>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    const name = line.slice(0, colon);
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 2)]);
  }
  return {
    id: fields.get('id')?.join('\n'),
    event: fields.get('event')?.join('\n'),
    data: fields.get('data')?.join('\n') ?? '',
  };
}
