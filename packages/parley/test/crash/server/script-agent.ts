import { type Agent, inputRequired, reply, type TaskContext } from 'parley-a2a';
import { agentOf, hang, pause } from '../../support/script.ts';

/**
 * What a message may tell the agent to do: `<verb> <chunks> <burst>`. It writes as many numbered chunks, with a short
 * pause after each burst, and then
 *
 * - `count`: is done;
 * - `hang`: works on without an end;
 * - `ask`: asks and waits in memory, then does what the answer says;
 * - `require`: ends the turn with a question;
 * - `reply`: (without chunks) answers with a bare message;
 * - `note`: (without chunks) is done.
 */
export type Verb = 'count' | 'hang' | 'ask' | 'require' | 'reply' | 'note';

export interface Script {
  readonly verb: Verb;
  readonly chunks: number;
  readonly burst: number;
}

export function parseScript(text: string): Script {
  const [verb, chunks = '0', burst = '1'] = text.split(' ');
  return { verb: verb as Verb, chunks: Number(chunks), burst: Number(burst) };
}

/** Chunks differ in length, so that commits and frames break at different places. */
export function chunkText(index: number): string {
  return `${index}${'.'.repeat((index * 7) % 23)} `;
}

/** What a turn writes if nothing stops it. */
export function textOfScript(text: string): string {
  const { verb, chunks } = parseScript(text);
  return verb === 'reply' ? '' : Array.from({ length: chunks }, (_, index) => chunkText(index)).join('');
}

async function* chunksOf(text: string): AsyncGenerator<string, void, void> {
  const { chunks, burst } = parseScript(text);
  for (let index = 0; index < chunks; index += 1) {
    yield chunkText(index);
    if (index % burst === burst - 1) await pause(1);
  }
}

async function* run(task: TaskContext) {
  const { verb, chunks } = parseScript(task.text);
  if (verb === 'reply') return reply(`Hello, ${task.message.messageId}`);
  if (chunks % 2 === 1) await task.status(`${chunks} chunks to come`);
  yield* chunksOf(task.text);
  if (verb === 'hang') return hang(task);
  if (verb === 'require') return inputRequired('What then?');
  if (verb === 'ask') yield* chunksOf(await task.ask('What then?'));
  return undefined;
}

/** An agent that does what the messages say. */
export function scriptAgent(): Agent {
  return agentOf(run);
}
