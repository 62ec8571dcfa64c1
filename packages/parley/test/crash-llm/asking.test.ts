import { expect, it } from 'vitest';
import { textOfTask } from '../support/frames.ts';
import { tempFile } from '../support/temp-folder.ts';
import { BROWSE, PAY } from './agents.ts';
import { answerOf, type CallerOf, runThroughKills } from './kills.ts';
import { around, aroundCall } from './points.ts';

const CALLS = [1, 2];
/** Both questions are asked in one commit, and answered by one message. */
const POINTS = [
  ...CALLS.flatMap(aroundCall),
  ...around('asked ask 1'),
  'asked ask 2 is to be recorded',
  'the caller decides',
  ...around('answered ask 1'),
  'answered ask 2 is to be recorded',
  `${PAY} begins`,
  `${PAY} is done`,
  ...around(`tool 1.1 ${PAY} 1`),
  ...around(`tool 1.2 ${BROWSE} 1`),
];

function lookedAt(effect: (name: string) => void): string {
  effect(BROWSE);
  return 'a page';
}

const callerOf: CallerOf = (killAt, effect) => ({
  tools: { [BROWSE]: { description: 'Looks at a page', execute: () => lookedAt(effect) } },
  onInput: () => {
    killAt('the caller decides');
    return 'approve';
  },
});

it('a loop that waits for approval and for a tool of its caller survives kills at each boundary (S0.17)', async () => {
  const scenario = { agent: 'asking', calls: [[PAY, BROWSE]], isFickle: false } as const;
  const outcome = await runThroughKills(tempFile(), scenario, callerOf);
  const { task, collected, model, effects } = outcome;
  expect(task.status.state, JSON.stringify(task.status)).toBe('TASK_STATE_COMPLETED');
  expect(outcome.problems).toEqual([]);
  expect(outcome.points.toSorted()).toEqual(POINTS.toSorted());
  expect(outcome.kills).toBe(POINTS.length);
  for (const call of CALLS) expect(model.asked.get(call), `model ${call}`).toBe(4);
  expect(effects.get(PAY)).toBe(3);
  // The caller's answer is kept by its client until a server has it.
  expect(effects.get(BROWSE)).toBe(1);
  const answer = CALLS.map((call) => model.words.get(call)).join('\n\n');
  expect(textOfTask(task)).toBe(answer);
  expect(answerOf(collected)).toBe(answer);
  expect(outcome.followed).toEqual(outcome.logged);
  // One answer to each question is in the history, and the model sees each result once.
  expect(task.history.filter(({ role }: { role: string }) => role === 'ROLE_USER')).toHaveLength(2);
  const shown = model.server?.requests.at(-1)?.body.messages.map(({ role }) => role);
  expect(shown).toEqual(['user', 'assistant', 'tool', 'tool']);
});
