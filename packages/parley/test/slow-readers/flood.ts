import { expect } from 'vitest';
import type { Random } from '../crash/load/random.ts';
import { type BadKind, type BadReader, badReader } from './bad-readers.ts';
import type { MeasuredServer } from './server.ts';
import { SocketReader } from './socket-reader.ts';
import { chunkText, type Volume } from './writer-agent.ts';

/** Several times what the system holds for a connection that nobody reads, which is up to 4 MB. */
export const FLOOD: Volume = { chunks: 10_000, size: 4_096 };
export const FLOOD_BYTES = FLOOD.chunks * FLOOD.size;
/** What a reader may have read when it counts as far behind. */
export const FAR_BEHIND_BYTES = FLOOD_BYTES / 100;

export interface Flood {
  readonly taskId: string;
  /** It has read all of it. */
  readonly normal: SocketReader;
  readonly bad: readonly BadReader[];
}

/**
 * A task that writes a lot while readers of these kinds are there, and another that reads as it should. Resolves when that
 * one has come to the end; the others are as they then were.
 */
export async function flood(server: MeasuredServer, kinds: readonly BadKind[], random: Random): Promise<Flood> {
  const taskId = await server.newTask(FLOOD);
  const bad = await Promise.all(kinds.map((kind) => badReader(kind, server, random, { taskId })));
  const texts = new TextCheck();
  const normal = new SocketReader({ url: server.url, taskId, onData: (data) => texts.see(data) });
  await normal.until(() => normal.frames.length > 0);
  await server.go();
  await Promise.all([normal.toEnd(), ...bad.map((one) => one.turnBad())]);
  expect(texts.count).toBe(FLOOD.chunks);
  expect(texts.lastState).toBe('TASK_STATE_COMPLETED');
  return { taskId, normal, bad };
}

/** Sees that the chunks come each once and in their order. */
class TextCheck {
  count = 0;
  lastState: string | undefined;

  see(data: string): void {
    const { task, statusUpdate, artifactUpdate } = JSON.parse(data).result;
    this.lastState = (task ?? statusUpdate)?.status.state ?? this.lastState;
    for (const { text } of artifactUpdate?.artifact.parts ?? []) {
      if (text === '') continue;
      if (text !== chunkText(this.count, FLOOD.size)) throw new Error(`Chunk ${this.count} is ${text.slice(0, 20)}`);
      this.count += 1;
    }
  }
}

/** All the rest after the last whole frame that a reader got. */
export async function resume(server: MeasuredServer, taskId: string, reader: SocketReader): Promise<SocketReader> {
  const resumed = new SocketReader({ url: server.url, taskId, after: reader.position });
  await resumed.toEnd();
  return resumed;
}
