import fc from 'fast-check';
import {
  type Agent,
  agentResult,
  complete,
  fail,
  inputRequired,
  type Output,
  reject,
  type TaskContext,
  text,
} from 'parley-a2a';
import { agentOf, pause } from '../support/script.ts';

/** What the agent does, one thing after the other. `pause: 0` lets other work of the process go first. */
export type Step =
  | { readonly write: string }
  | { readonly parts: readonly string[] }
  | { readonly other: string; readonly isEnd: boolean }
  | { readonly say: string; readonly progress?: number }
  | { readonly call: string }
  | { readonly pause: number };

export type End = 'done' | 'message' | 'result' | 'ask' | 'fail' | 'reject';

export interface Script {
  readonly steps: readonly Step[];
  readonly end: End;
}

const words = fc.stringMatching(/^[a-zé☂\n ]{1,12}$/);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ write: words }) },
  { weight: 3, arbitrary: fc.record({ pause: fc.constantFrom(0, 0, 1, 4) }) },
  { weight: 1, arbitrary: fc.record({ parts: fc.array(words, { minLength: 2, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ other: words, isEnd: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ say: words, progress: fc.nat(100) }, { requiredKeys: ['say'] }) },
  { weight: 1, arbitrary: fc.record({ call: words }) },
);

export function scripts(ends: readonly End[]): fc.Arbitrary<Script> {
  return fc.record({ steps: fc.array(step, { maxLength: 24 }), end: fc.constantFrom(...ends) });
}

/** The text of all artifacts, in the order in which it is written. */
export function textOfScript({ steps, end }: Script): string {
  const written = steps.map((one) => {
    if ('write' in one) return one.write;
    if ('parts' in one) return one.parts.join('');
    return 'other' in one ? one.other : '';
  });
  return [...written, end === 'result' ? 'result' : ''].join('');
}

/** Whether only the default artifact is written to: the order of texts in several is not told by all dialects. */
export function hasOneArtifact({ steps }: Script): boolean {
  return !steps.some((one) => 'other' in one);
}

const helper = agentOf((task) => `heard ${task.text}`, { name: 'helper' });

async function take(one: Exclude<Step, { write: string } | { parts: readonly string[] }>, task: TaskContext) {
  if ('pause' in one) await (one.pause === 0 ? new Promise(setImmediate) : pause(one.pause));
  else if ('say' in one)
    await task.status(one.say, one.progress === undefined ? {} : { metadata: { progress: one.progress } });
  else if ('call' in one) await task.call(helper, one.call).result;
  else if (one.isEnd) await task.artifact().end(text(one.other));
  else await task.artifact({ artifactId: 'other' }).write(one.other);
}

async function* run(task: TaskContext): AsyncGenerator<Output, unknown> {
  const { steps, end }: Script = JSON.parse(task.text);
  for (const one of steps) {
    if ('write' in one) yield one.write;
    // A part with metadata stays a part of its own.
    else if ('parts' in one) yield one.parts.map((each, index) => text(each, { metadata: { index } }));
    else await take(one, task);
  }
  switch (end) {
    case 'done':
      return undefined;
    case 'message':
      return complete('All done');
    case 'result':
      return agentResult({ text: 'result', data: { rows: 2 }, usage: { tokens: 7 }, metadata: { model: 'none' } });
    case 'ask':
      return inputRequired('Which one?');
    case 'fail':
      return fail('It did not work');
    case 'reject':
      throw reject('Not this one');
  }
}

/** An agent that does what its messages say, and the one that it calls. */
export const SCRIPTED: readonly Agent[] = [agentOf(run as never, { name: 'scripted' }), helper];
