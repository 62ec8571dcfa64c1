import fc from 'fast-check';
import { A2AServer } from 'parley-a2a';
import { beforeAll, describe, expect, it } from 'vitest';
import { SPEAKERS_MOUNTS } from '../support/speakers.ts';
import { readSse, type SseEvent } from '../support/sse.ts';
import { type RawRequest, WAYS, type Way } from './foreign-ways.ts';
import { type End, SCRIPTED, type Script, scripts } from './script.ts';

/** How many streams are read in each way. */
const numRuns = Number(process.env.EXACT_RUNS ?? 8);

const ENDS: readonly End[] = ['done', 'message', 'result', 'fail', 'reject'];

const server = new A2AServer({ agents: SCRIPTED, mounts: SPEAKERS_MOUNTS });

beforeAll(async () => {
  await server.listen({ port: 0 });
  return () => server.close();
});

async function open({ path, headers, body }: RawRequest, position?: string): Promise<Response> {
  const at = position === undefined ? {} : { 'last-event-id': position };
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...at },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The frames of a stream; `most` = the reader leaves after so many. `[DONE]` is none. */
async function framesOf(response: Response, most = Number.POSITIVE_INFINITY): Promise<SseEvent[]> {
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new Error(`Not a stream: ${response.status} ${await response.text()}`);
  }
  const frames: SseEvent[] = [];
  for await (const frame of readSse(response.body)) {
    if (frame.data !== '[DONE]') frames.push(frame);
    if (frames.length >= most) break;
  }
  return frames;
}

function taskIdOf([first]: readonly SseEvent[]): string {
  const id = /"(?:taskId|id)":"([^"]{36})"/.exec(first?.data ?? '')?.[1];
  if (!id) throw new Error(`No task in ${first?.data}`);
  return id;
}

const whole = (way: Way, script: Script) => way.send(JSON.stringify(script));
const shown = (frames: readonly SseEvent[]) => frames.map(({ id, data }) => [id, data]);

describe.each(WAYS)('a reader that keeps no more than the last id: $name', (way) => {
  it('can stop behind any frame and gets exactly the rest', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scripts(ENDS), async (script) => {
        const sent = await framesOf(await open(whole(way, script)));
        const taskId = taskIdOf(sent);
        // All frames of the log, in the form that a reader who comes back gets them in.
        const log = await framesOf(await open(way.subscribe(taskId), '0'));
        expect(log.every(({ id }) => id !== undefined)).toBe(true);
        expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
        const ids = log.map(({ id }) => id);
        const first = sent.findIndex(({ id }) => id !== undefined && ids.includes(id));
        expect(sent.slice(first).map(({ id }) => id)).toEqual(ids.slice(ids.indexOf(sent[first]?.id)));
        for (const [index, { id }] of log.slice(0, -1).entries()) {
          const rest = await framesOf(await open(way.subscribe(taskId), id));
          expect(shown(rest)).toEqual(shown(log.slice(index + 1)));
        }
      }),
      { numRuns },
    );
  });

  it('can lose the connection again and again while the task is at work', { timeout: 120_000 }, async () => {
    const pauses = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(scripts(ENDS), pauses, async (script, reads) => {
        const seen = await framesOf(await open(whole(way, script)), 1);
        const taskId = taskIdOf(seen);
        const [begin] = seen;
        const log = () => open(way.subscribe(taskId), '0').then((response) => framesOf(response));
        for (const most of [...reads, Number.POSITIVE_INFINITY]) {
          const response = await open(way.subscribe(taskId), seen.at(-1)?.id);
          // The task has ended and this reader has all of it.
          if (!response.headers.get('content-type')?.startsWith('text/event-stream')) break;
          const frames = await framesOf(response, most);
          if (frames.some(({ id }) => id === undefined)) break;
          seen.push(...frames);
        }
        const all = await log();
        const ids = all.map(({ id }) => id);
        const updates = seen.slice(1);
        expect(shown(updates)).toEqual(shown(all.slice(all.length - updates.length)));
        const position = Number(begin?.id);
        expect(ids.filter((id) => Number(id) > position)).toEqual(updates.map(({ id }) => id));
      }),
      { numRuns },
    );
  });
});
