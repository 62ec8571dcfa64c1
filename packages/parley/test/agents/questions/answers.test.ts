import fc from 'fast-check';
import { type JsonValue, json, type Part, text } from 'parley-a2a';
import { expect, it } from 'vitest';
import { readAnswer } from '../../../src/agent/questions/answers.ts';
import { textOfParts, textOfTask } from '../../support/frames.ts';
import { startServer } from '../../support/rpc.ts';
import { schemaOf } from '../../support/schemas/small-schemas.ts';
import { agentOf } from '../../support/script.ts';

const message = (...parts: readonly Part[]) => ({ messageId: 'm', role: 'user' as const, parts });

/** Takes this value and no other. */
const only = (wanted: JsonValue) =>
  schemaOf((value) => {
    if (JSON.stringify(value) !== JSON.stringify(wanted)) throw new Error('something else');
    return value;
  });

const value = fc.jsonValue().map((made) => JSON.parse(JSON.stringify(made)) as JsonValue);

it('takes any value, as data or written as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom('', ' ', '\n'), async (wanted, space) => {
      const schema = only(wanted);
      const forms = [
        message(json(wanted)),
        message(json({ value: wanted })),
        message(text(space + JSON.stringify(wanted) + space)),
        message(text('Here it is'), json({ toolUseId: 'q', result: wanted })),
        message(json({ kind: 'tool-result', toolUseId: 'q', result: { value: wanted } })),
      ];
      for (const form of forms) {
        expect(await readAnswer(form, { id: 'q', schema })).toEqual({ isValid: true, value: wanted });
      }
    }),
  );
});

it('gives any text back as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (said) => {
      const isText = schemaOf((given) => {
        if (typeof given !== 'string') throw new Error('no text');
        return given;
      });
      const answer = message(text(said));
      expect(await readAnswer(answer, { id: 'q', schema: isText })).toEqual({ isValid: true, value: said });
      expect(await readAnswer(answer, { id: 'q' })).toEqual({ isValid: true, value: said });
    }),
  );
});

it('finds every choice by its value, and never one that is not there', async () => {
  const choices = fc.uniqueArray(fc.string({ minLength: 1 }), {
    minLength: 1,
    selector: (choice) => choice.trim().toLowerCase(),
  });
  await fc.assert(
    fc.asyncProperty(choices, fc.string(), async (values, other) => {
      const expected = { id: 'q', choices: values.map((choice) => ({ value: choice })) };
      for (const choice of values) {
        expect(await readAnswer(message(text(choice)), expected)).toEqual({ isValid: true, value: choice });
      }
      const answer = await readAnswer(message(text(other)), expected);
      if (answer.isValid) expect(values).toContain(answer.value);
    }),
  );
});

it('takes the result of another call for no answer, whatever stands beside it', async () => {
  const other = message(text('Tool result:'), json({ kind: 'tool-result', toolUseId: 'other', result: 'x' }));
  const problem = { isValid: false, problem: 'it is the result of another call' };
  expect(await readAnswer(other, { id: 'q' })).toEqual(problem);
  expect(await readAnswer(other, { id: 'q', choices: [{ value: 'x' }] })).toEqual(problem);
});

it('asks again in words where the answer is the result of a tool, and gives up', async () => {
  const { peer } = startServer(agentOf(async (task) => `You said ${await task.ask('Which?')}`));
  const result = {
    parts: [{ text: 'Tool result:' }, { data: { kind: 'tool-result', toolUseId: 'other', result: 1 } }],
  };
  const first = await peer.send('go');
  const again = await peer.send('', { taskId: first.id, ...result });
  expect(textOfParts(again.status.message.parts)).toBe(
    'That answer cannot be used: it is the result of another call\n\nWhich?',
  );
  expect(textOfTask(await peer.send('this', { taskId: first.id }))).toBe('You said this');

  const { id: taskId } = await peer.send('go');
  for (const state of ['INPUT_REQUIRED', 'INPUT_REQUIRED', 'FAILED']) {
    expect((await peer.send('', { taskId, ...result })).status.state).toBe(`TASK_STATE_${state}`);
  }
});
