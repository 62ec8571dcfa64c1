import type { ChunkDraft } from '../turn/runner.ts';

/** The amount that a chunk adds to the output of a turn: the length of streamed text, however it is cut; else one. */
export function amountOf(chunk: ChunkDraft): number {
  return streamedText(chunk)?.length || 1;
}

/** A chunk without that much of its beginning. */
export function tailOf(chunk: ChunkDraft, amount: number): ChunkDraft {
  const text = streamedText(chunk);
  return amount === 0 || text === undefined ? chunk : { ...chunk, parts: [{ kind: 'text', text: text.slice(amount) }] };
}

function streamedText({ streamed, parts, lastChunk }: ChunkDraft): string | undefined {
  const [part, ...rest] = parts;
  return streamed && !lastChunk && part?.kind === 'text' && rest.length === 0 ? part.text : undefined;
}
