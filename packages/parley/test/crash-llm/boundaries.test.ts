import { expect, it } from 'vitest';
import { textOfTask } from '../support/frames.ts';
import { tempFile } from '../support/temp-folder.ts';
import { LAST, LEFT, RIGHT } from './agents.ts';
import { answerOf, runThroughKills } from './kills.ts';
import { around, aroundCall } from './points.ts';

const CALLS = [1, 2, 3];
/** All places at which the server must have been killed. */
const POINTS = [
  ...CALLS.flatMap(aroundCall),
  ...[LEFT, RIGHT, LAST].flatMap((name) => [`${name} begins`, `${name} is done`]),
  ...[`tool 1.1 ${LEFT} 1`, `tool 1.2 ${RIGHT} 1`, `tool 2.1 ${LAST} 1`].flatMap(around),
];

it.each([
  ['that says the same each time', false],
  ['that says something else each time', true],
])('a loop with a model %s, killed at each boundary, pays once for what is finished (S0.17)', async (_, isFickle) => {
  const outcome = await runThroughKills(tempFile(), { agent: 'looping', calls: [[LEFT, RIGHT], [LAST]], isFickle });
  const { task, collected, model, effects } = outcome;
  expect(task.status.state, JSON.stringify(task.status)).toBe('TASK_STATE_COMPLETED');
  expect(outcome.problems).toEqual([]);
  expect(outcome.points).toEqual(expect.arrayContaining(POINTS));
  expect(outcome.points).toHaveLength(POINTS.length);
  expect(outcome.kills).toBe(POINTS.length);
  // A response is asked for once more after each kill between the request and its record, and never after that.
  for (const call of CALLS) expect(model.asked.get(call), `model ${call}`).toBe(4);
  // Done and not recorded, twice; and then for good. What runs beside another may be done once more for that one's kills.
  expect(effects.get(LAST)).toBe(3);
  for (const name of [LEFT, RIGHT]) expect(effects.get(name), name).toBeGreaterThanOrEqual(3);
  const answer = CALLS.map((call) => model.words.get(call)).join('\n\n');
  expect(textOfTask(task)).toBe(answer);
  expect(answerOf(collected)).toBe(answer);
  // What was read as it came can be compared only where a response that is repeated is the same.
  if (!isFickle) expect(outcome.text).toBe(answer);
  // Neither a gap nor a double: the reader who came back after each kill has the frames of the log, each once.
  expect(outcome.followed).toEqual(outcome.logged);
  expect(outcome.logged.length).toBeGreaterThan(POINTS.length);
  expect(task.metadata.usage.modelCalls).toBe(CALLS.length);
});
