import { TaskState } from '@a2a-js/sdk';
import { TOOLS_EXTENSION } from 'parley-a2a/extensions';
import { expect, it } from 'vitest';
import { anyNumber, order } from '../support/schemas/small-schemas.ts';
import { agentOf } from '../support/script.ts';
import { artifactTexts, saidBy, sending, taskOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { served } from './support/sdk.ts';

// A client that knows nothing of the extensions: it reads texts and answers with texts.
everyMatrix((row) => {
  it('understands questions, and is understood', async () => {
    const shop = agentOf(async function* (task) {
      const { item, count } = await task.ask({ prompt: 'What?', schema: order });
      const size = await task.ask({ prompt: 'Which size?', choices: ['small', 'large'] });
      yield `${count} ${size} ${item}, ${await task.ask({ prompt: 'How much?', schema: anyNumber })}`;
    });
    const { client } = await served(row, shop);
    const asked = taskOf(await client.sendMessage(sending('go')));
    const { id: taskId } = asked;
    const answer = async (text: string) => taskOf(await client.sendMessage(sending(text, { message: { taskId } })));
    expect([asked.status?.state, saidBy(asked)]).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED, 'What?']);
    const again = await answer('tea');
    expect(saidBy(again)).toContain('That answer cannot be used: answer.item: expected a text');
    expect(saidBy(await answer('{"item":"tea","count":2}'))).toBe('Which size?\n\n1. small\n2. large');
    expect(saidBy(await answer('2'))).toBe('How much?');
    expect(artifactTexts(await answer('9.5'))).toEqual(['2 large tea, 9.5']);
  });

  it('can run a tool by hand', async () => {
    const agent = agentOf(async (task) => `sum ${await task.tool('add', { a: 1 }, { schema: anyNumber })}`);
    const { client } = await served(row, agent);
    const tools = [{ name: 'add', description: 'Adds' }];
    const asked = taskOf(
      await client.sendMessage(sending('go', { message: { metadata: { [TOOLS_EXTENSION]: { tools } } } })),
    );
    expect(saidBy(asked)).toContain('Please run the tool "add" with {"a":1} and answer with its result.');
    const done = taskOf(await client.sendMessage(sending('2', { message: { taskId: asked.id } })));
    expect(artifactTexts(done)).toEqual(['sum 2']);
  });
});
