import { onTestFinished } from 'vitest';
import type { Random } from '../crash/load/random.ts';
import { BadLine } from '../crash/server/proxy.ts';
import type { MeasuredServer } from './server.ts';
import { SocketReader } from './socket-reader.ts';

/** After some bytes at full speed: one byte now and then, nothing more, or not even a sign of life. */
export const BAD_KINDS = ['trickles', 'stalls', 'vanishes'] as const;
export type BadKind = (typeof BAD_KINDS)[number];

/** More than the head of an answer and the Task that comes first. */
const LEAST_BYTES = 2_000;
const MOST_BYTES = 20_000;
const TRICKLE_MS = 5;

/** A reader that is going to behave badly, at a place in the stream that a seed decides. */
export interface BadReader {
  readonly kind: BadKind;
  readonly reader: SocketReader;
  /** Resolves when it has come to that place; there must be as much to read. */
  turnBad(): Promise<void>;
  /** Ends what is left of its connection, on the server's side as well. */
  cut(): void;
}

/** Resolves when it has the first frame, and so the server has it as a subscriber. */
export async function badReader(
  kind: BadKind,
  server: MeasuredServer,
  random: Random,
  options: { readonly taskId: string; readonly after?: number },
): Promise<BadReader> {
  const place = random.between(LEAST_BYTES, MOST_BYTES);
  const bad = kind === 'vanishes' ? await vanishing(server, place, options) : slow(kind, server, place, options);
  await bad.reader.until(() => bad.reader.frames.length > 0);
  return bad;
}

function slow(
  kind: 'trickles' | 'stalls',
  { url }: MeasuredServer,
  place: number,
  options: { readonly taskId: string; readonly after?: number },
): BadReader {
  const reader = new SocketReader({ url, piece: kind === 'trickles' ? 1 : 500, ...options });
  return {
    kind,
    reader,
    async turnBad() {
      await reader.until(() => reader.bytes >= place);
      if (kind === 'trickles') reader.trickle(TRICKLE_MS);
    },
    cut: () => reader.destroy(),
  };
}

async function vanishing(
  server: MeasuredServer,
  place: number,
  options: { readonly taskId: string; readonly after?: number },
): Promise<BadReader> {
  const line = new BadLine(server.port, () => ({ end: 'vanish', endAfter: place }));
  const reader = new SocketReader({ url: await line.listen(), ...options });
  onTestFinished(() => line.close());
  return {
    kind: 'vanishes',
    reader,
    async turnBad() {
      await reader.until(() => reader.bytes >= place);
      reader.destroy();
    },
    cut: () => line.reset(),
  };
}
