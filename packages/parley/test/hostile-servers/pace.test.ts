import { describe, expect, it, onTestFinished } from 'vitest';
import type { TaskStreamEvent } from '../../src/client/stream/task-stream.ts';
import { eventually } from '../support/eventually.ts';
import { pause } from '../support/script.ts';
import { beginStream, frameOf, showsTask, streams, turns, writes, writesForEver } from './frames.ts';
import { clientFor, hostileServer } from './hostile-server.ts';

const CHUNK = 'x'.repeat(16_384);
/** What is read ahead, and what the sockets of both sides hold. */
const MOST_BYTES = 48 * 2 ** 20;
const FRAME_BYTES = CHUNK.length + 300;

/** A stream of a server that writes chunks for as long as somebody takes them. */
async function endless() {
  const server = await hostileServer(async (attack) => {
    beginStream(attack);
    attack.response.write(frameOf(attack, showsTask('WORKING')));
    await writesForEver(attack, frameOf(attack, writes(CHUNK)));
  });
  const abort = new AbortController();
  onTestFinished(() => abort.abort(new Error('enough')));
  const stream = clientFor(server).sendMessageStream('hi', { signal: abort.signal });
  const events = stream[Symbol.asyncIterator]();
  const take = async (count: number) => {
    for (let taken = 0; taken < count; taken += 1) await events.next();
  };
  return { ...server, stream, events, take, abort };
}

/** Waits until the server can write no more. */
async function standstill(written: () => number): Promise<number> {
  let last = -1;
  let looks = 0;
  const look = async () => {
    await pause(50);
    looks = written() === last ? looks + 1 : 0;
    last = written();
    return looks;
  };
  await eventually(look).toBeGreaterThan(4);
  return last;
}

describe('a slow loop', () => {
  it('holds the server back, whoever waits for the end beside it', async () => {
    const { stream, take, written } = await endless();
    void stream.task;
    await take(3);
    void stream.result;
    await take(3);
    const before = await standstill(written);
    expect(before).toBeGreaterThan(FRAME_BYTES);
    expect(before).toBeLessThan(MOST_BYTES);
    await take(2_000);
    const after = await standstill(written);
    expect(after).toBeGreaterThan(1_000 * FRAME_BYTES);
    expect(after).toBeLessThan(2_000 * FRAME_BYTES + MOST_BYTES);
  });

  it('is left by a second loop that is quicker: the slow one goes on with the task as it is', async () => {
    const { stream, events, take } = await endless();
    await take(2);
    let length = 0;
    for await (const text of stream.textStream) {
      length += text.length;
      if (length > 1_000 * CHUNK.length) break;
    }
    const { value } = await events.next();
    expect(value?.kind).toBe('task');
    expect((value as TaskStreamEvent).text.length).toBeGreaterThan(900 * CHUNK.length);
    expect((await events.next()).value).toMatchObject({ kind: 'artifact', text: CHUNK });
  });

  it('that waits for the end itself gets it, and then the rest in one event', async () => {
    const count = 2_000;
    const server = await hostileServer((attack) =>
      streams(attack, showsTask('WORKING'), ...Array.from({ length: count }, () => writes('x')), turns('COMPLETED')),
    );
    const stream = clientFor(server).sendMessageStream('hi');
    const first = stream.task;
    const seen: string[] = [];
    let text = '';
    for await (const event of stream) {
      text += event.text;
      seen.push(event.kind);
      if (seen.length === 1) expect(await stream.task).toMatchObject({ status: { state: 'completed' } });
    }
    expect(await first).toMatchObject({ status: { state: 'completed' } });
    expect(text).toBe('x'.repeat(count));
    expect(seen).toEqual(['task', 'task']);
  });
});

describe('events that nobody reads', () => {
  it('are not kept for one who may come: the task is', async () => {
    const count = 2_000;
    const server = await hostileServer((attack) =>
      streams(attack, showsTask('WORKING'), ...Array.from({ length: count }, () => writes('x')), turns('COMPLETED')),
    );
    const stream = clientFor(server).sendMessageStream('hi');
    await stream.task;
    const seen: TaskStreamEvent[] = [];
    for await (const event of stream) seen.push(event);
    expect(seen).toMatchObject([{ kind: 'task', text: 'x'.repeat(count), task: { status: { state: 'completed' } } }]);
  });
});

describe('an abort', () => {
  it('ends the loop at once: what had been read ahead is not given any more', async () => {
    const { stream, take, events, abort, written } = await endless();
    const end = expect(stream.task).rejects.toThrow('enough');
    await take(3);
    await standstill(written);
    abort.abort(new Error('enough'));
    await expect(events.next()).rejects.toThrow('enough');
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await end;
  });

  it('tells those who wait for the end, however long the loop takes', async () => {
    const { stream, take, abort, written } = await endless();
    const end = stream.task;
    await take(3);
    await standstill(written);
    abort.abort(new Error('enough'));
    await expect(end).rejects.toThrow('enough');
  });

  it('of the client itself does the same', async () => {
    const server = await hostileServer((attack) =>
      streams(attack, showsTask('WORKING'), writes('a'), turns('COMPLETED')),
    );
    const abort = new AbortController();
    const events = clientFor(server, { signal: abort.signal }).sendMessageStream('hi')[Symbol.asyncIterator]();
    await events.next();
    abort.abort(new Error('enough'));
    await expect(events.next()).rejects.toThrow('enough');
  });
});
