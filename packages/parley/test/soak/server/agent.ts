import { type Agent, fail, reply, type TaskContext } from 'parley-a2a';
import { agentOf, hang, pause } from '../../support/script.ts';
import { chunkText, parseScript, type Script } from '../script.ts';

/** Writes chunks from one number up to another; a run that is taken up after a kill goes on behind the last step. */
async function* chunksOf(task: TaskContext, { number, burst }: Script, from: number, to: number) {
  for (let index = from; index < to; index += 1) {
    yield chunkText(number, index);
    if (index % burst === burst - 1) await task.step(`burst ${index}`, () => pause(1 + (index % 4)));
  }
}

async function* run(task: TaskContext) {
  const script = parseScript(task.text);
  const { number, verb, chunks } = script;
  if (verb === 'reply') return reply(`Hello, ${number}`);
  if (number % 3 === 0) await task.status(`${chunks} chunks to come`);
  yield* chunksOf(task, script, 0, chunks);
  if (verb === 'ask') yield* chunksOf(task, script, chunks, chunks + Number(await task.ask('How many more?')));
  if (verb === 'hang') return hang(task);
  return verb === 'fail' ? fail('As it was told to') : undefined;
}

/** An agent that does what its messages say, and is taken up where a kill has stopped it. */
export function soakAgent(): Agent {
  return agentOf(run, { name: 'soaked', resumable: true });
}
