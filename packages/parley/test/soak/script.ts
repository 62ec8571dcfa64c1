/**
 * The text of a message: `<number> <verb> <chunks> <burst>`. The agent writes so many chunks, with a step after each burst,
 * and then
 *
 * - `count`: completes;
 * - `ask`: asks how many more to write, and writes those;
 * - `hang`: works until it is canceled;
 * - `fail`: fails;
 * - `reply`: (without chunks) responds with a bare message.
 *
 * The number is unique in a run, so that a message that was carried out twice is noticed.
 */
export type Verb = 'count' | 'ask' | 'hang' | 'fail' | 'reply';

export interface Script {
  readonly number: number;
  readonly verb: Verb;
  readonly chunks: number;
  readonly burst: number;
}

export function writeScript({ number, verb, chunks, burst }: Script): string {
  return `${number} ${verb} ${chunks} ${burst}`;
}

export function parseScript(text: string): Script {
  const [number, verb, chunks, burst] = text.split(' ');
  return { number: Number(number), verb: verb as Verb, chunks: Number(chunks), burst: Number(burst) };
}

/** Chunks differ in length, so that commits and frames break at different places. */
export function chunkText(number: number, index: number): string {
  return `${number}/${index}${'.'.repeat((index * 7) % 23)} `;
}

/** The text of an agent that wrote so many chunks. */
export function textOfChunks(number: number, count: number): string {
  let text = '';
  for (let index = 0; index < count; index += 1) text += chunkText(number, index);
  return text;
}
