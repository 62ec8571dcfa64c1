import type { A2AClient } from '../../../client/every-dialect-client.ts';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';

/** A stream whose events are closer together than this tells nothing about buffers. */
const SHORTEST_SPREAD = 300;
/** Frames that arrive within so small a part of the time in which they were made have been held back. */
const HELD_BACK = 0.25;

const ADVICE =
  'Turn buffering and compression off for text/event-stream in the proxy: proxy_buffering off in nginx, flush_interval -1 in Caddy, no gzip';

/** A moment of a stream: when it was made, as the server says, and when it came. */
interface Arrival {
  readonly madeAt: number | undefined;
  readonly cameAt: number;
}

/** Asks an agent for a stream and looks whether its frames come one by one. */
export async function checkStream(client: A2AClient, text: string, timeout: number): Promise<Finding> {
  if (client.card?.capabilities?.streaming !== true) return ok('stream', 'The agent does not stream');
  const arrivals: Arrival[] = [];
  const signal = AbortSignal.timeout(timeout);
  try {
    for await (const event of client.sendMessageStream(text, { signal })) {
      const status = event.kind === 'status' ? event.status : event.kind === 'task' ? event.task.status : undefined;
      const madeAt = status?.timestamp === undefined ? undefined : Date.parse(String(status.timestamp));
      arrivals.push({ madeAt, cameAt: performance.now() });
    }
  } catch (error) {
    if (!signal.aborted)
      return fail(
        'stream',
        `The stream failed: ${textOf(error)}`,
        'See the log of the server, and of the proxy before it',
      );
    if (arrivals.length === 0) {
      return fail('stream', `No frame came within ${timeout / 1000} seconds`, ADVICE);
    }
  }
  return streamFinding(arrivals);
}

/** Compares the time in which events were made with that in which they came. */
export function streamFinding(arrivals: readonly Arrival[]): Finding {
  const dated = arrivals.flatMap(({ madeAt, cameAt }) => (madeAt === undefined ? [] : [{ madeAt, cameAt }]));
  const [first, last] = [dated[0], dated.at(-1)];
  const frames = `${arrivals.length} frames`;
  const cannotTell = 'Give the text of a message on which the agent works for a second, at the end of the command';
  if (!first || !last || !Number.isFinite(last.madeAt - first.madeAt)) {
    return warn('stream', `${frames} came, which do not say when they were made`, cannotTell);
  }
  const made = last.madeAt - first.madeAt;
  const came = Math.round(last.cameAt - first.cameAt);
  if (made < SHORTEST_SPREAD) {
    return warn(
      'stream',
      `${frames} came, but the agent was too quick to tell whether a proxy holds them back`,
      cannotTell,
    );
  }
  if (came < made * HELD_BACK) {
    return fail(
      'stream',
      `${frames} that were made within ${made} ms came within ${came} ms: a proxy holds them back`,
      ADVICE,
    );
  }
  return ok('stream', `${frames} came one by one, within ${came} ms`);
}
