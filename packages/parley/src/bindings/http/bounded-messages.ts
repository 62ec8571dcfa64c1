/** The byte that ends a line of an event stream. */
const NEWLINE = 10;
const RETURN = 13;

/**
 * The `fetch` given, with responses that hold at most so many bytes in one message: one event of an event stream, or all of any
 * other body. A reader keeps a message in memory to its end, so a server that never ends one takes all memory.
 */
export function withBoundedMessages(send: typeof fetch, mostBytes: number): typeof fetch {
  return async (input, init) => bounded(await send(input, init), mostBytes);
}

function bounded(response: Response, mostBytes: number): Response {
  const { body, status, statusText, headers, ok } = response;
  if (!body) return response;
  // The body of an error is read as a whole, whatever its type.
  const hasEvents = ok && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const count = hasEvents ? countOfEvent() : countOfAll();
  const reader = body.getReader();
  const guarded = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await reader.read();
        if (step.done) return controller.close();
        if (count(step.value) <= mostBytes) return controller.enqueue(step.value);
        const problem = new RangeError(`A message of the server has more than ${mostBytes} bytes`);
        reader.cancel(problem).catch(() => {});
        throw problem;
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const copy = new Response(guarded, { status, statusText, headers });
  // Clients look at both to see if they were redirected.
  Object.defineProperty(copy, 'url', { value: response.url });
  Object.defineProperty(copy, 'redirected', { value: response.redirected });
  return copy;
}

type Count = (chunk: Uint8Array) => number;

function countOfAll(): Count {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    return bytes;
  };
}

/** Counts the bytes since the last blank line, which is where an event ends. */
function countOfEvent(): Count {
  let bytes = 0;
  let isLineStart = false;
  return (chunk) => {
    const end = endOfLastEvent(chunk, isLineStart);
    bytes = end === undefined ? bytes + chunk.length : chunk.length - end;
    // A line may be ended by two bytes, the second of which comes with the next chunk.
    const last = chunk.at(-1) === RETURN ? chunk.length - 2 : chunk.length - 1;
    if (last >= 0) isLineStart = chunk[last] === NEWLINE;
    return bytes;
  };
}

/** The place after the last blank line; undefined where the chunk has none. `isLineStart`: the chunk before ended a line. */
function endOfLastEvent(chunk: Uint8Array, isLineStart: boolean): number | undefined {
  for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = chunk.lastIndexOf(NEWLINE, at - 1)) {
    const before = chunk[at - 1] === RETURN ? at - 2 : at - 1;
    if (before < 0 ? isLineStart : chunk[before] === NEWLINE) return at + 1;
    if (at === 0) break;
  }
  return undefined;
}
