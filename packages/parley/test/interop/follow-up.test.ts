import { Role, TaskState } from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { inputRequired, textOf as modelText } from 'parley-a2a';
import { expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { agentOf } from '../support/script.ts';
import { expectError, expectStreamError } from './support/errors.ts';
import { allOf, assembledTexts, kindOf, payloadOf, stateOf, taskIdOf } from './support/events.ts';
import { artifactTexts, saidBy, sending, talkOf, taskOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { served } from './support/sdk.ts';

/** An agent that asks until it hears `done`, a turn for each answer. */
const curious = agentOf(({ text, history }) =>
  text === 'done' ? [...history.map(modelText), text].join(' | ') : inputRequired(`more than ${text}?`),
);

everyMatrix((row) => {
  it.each([
    ['ask Which one?', TaskState.TASK_STATE_INPUT_REQUIRED, 'answered: this one', ['this one']],
    // A credential is for the run alone.
    ['auth Log in first', TaskState.TASK_STATE_AUTH_REQUIRED, 'authorized: this one', []],
  ])('answers a question in the same task: %s', async (script, state, artifact, kept) => {
    const { client } = await served(row, lab);
    const asked = taskOf(await client.sendMessage(sending(script)));
    expect(asked.status?.state).toBe(state);
    expect(asked.status?.message).toMatchObject({ role: Role.ROLE_AGENT, taskId: asked.id });
    const { id: taskId, contextId } = asked;
    const done = taskOf(await client.sendMessage(sending('this one', { message: { taskId, contextId } })));
    expect([done.id, done.contextId]).toEqual([taskId, contextId]);
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(artifactTexts(done)).toEqual([artifact]);
    expect(talkOf(done)).toEqual([script, script.replace(/^\w+ /, ''), ...kept]);
  });

  it('goes on over several turns, and needs no context id for that', async () => {
    const { client } = await served(row, curious);
    const { id: taskId } = taskOf(await client.sendMessage(sending('one')));
    const second = taskOf(await client.sendMessage(sending('two', { message: { taskId } })));
    expect([second.id, saidBy(second)]).toEqual([taskId, 'more than two?']);
    const done = taskOf(await client.sendMessage(sending('done', { message: { taskId } })));
    expect(artifactTexts(done)).toEqual(['one | more than one? | two | more than two? | done']);
  });

  it('streams up to a question and, with the answer, to the end', async () => {
    const { client } = await served(row, lab);
    const asked = await allOf(client.sendMessageStream(sending('chunk 2 8\nask Which one?\nchunk 2 8')));
    expect(stateOf(asked.at(-1))).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const taskId = taskIdOf(asked[0]);
    const answered = await allOf(client.sendMessageStream(sending('this one', { message: { taskId } })));
    expect(kindOf(answered[0] ?? {})).toBe('task');
    expect(payloadOf(answered[0], 'task')?.id).toBe(taskId);
    expect(stateOf(answered.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(assembledTexts(answered, row)).toEqual(['0001:...0002:...', 'answered: this one', '0001:...0002:...']);
  });

  it('cannot go on with a task that is over', async () => {
    const { client } = await served(row, lab);
    const { id: taskId } = taskOf(await client.sendMessage(sending('say done')));
    const again = sending('more', { message: { taskId } });
    const unsupported = { type: UnsupportedOperationError, code: -32004, status: 400 };
    await expectError(row, client.sendMessage(again), unsupported);
    await expectStreamError(row, allOf(client.sendMessageStream(again)), unsupported);
  });
});
