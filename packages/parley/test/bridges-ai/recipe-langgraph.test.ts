import { AIMessageChunk } from '@langchain/core/messages';
import { testAgent } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { createForecaster } from '../../../../examples/recipes/langgraph.ts';
import { gate, hang } from '../support/script.ts';
import { ScriptedChatModel, toolCallChunk } from './support/chat-model.ts';
import { callRecipe } from './support/recipes.ts';

it('streams what the model says, and runs its tools (S0.17)', async () => {
  const model = new ScriptedChatModel(async function* (messages) {
    const last = messages.at(-1);
    if (last?.type !== 'tool') yield toolCallChunk('weather', { city: 'Rome' });
    else for (const token of ['It is: ', last.text, '.']) yield new AIMessageChunk(token);
  });
  const { text, state, chunks } = await callRecipe(createForecaster(model), 'How is the weather in Rome?');
  expect(text).toBe('It is: 21 °C and sunny in Rome.');
  expect(chunks.length).toBeGreaterThan(1);
  expect(state).toBe('completed');
});

it('fails where the model does', async () => {
  const model = new ScriptedChatModel(async function* () {
    yield new AIMessageChunk('Half');
    throw new Error('No such model');
  });
  expect((await callRecipe(createForecaster(model), 'Hello?')).state).toBe('failed');
});

it('stops the model when its task is canceled', async () => {
  const left = gate();
  const model = new ScriptedChatModel(async function* (_, signal) {
    signal?.addEventListener('abort', () => left.resolve());
    yield new AIMessageChunk('One ');
    await hang({ signal: signal ?? AbortSignal.abort() });
  });
  await using kit = testAgent(createForecaster(model));
  const stream = kit.client.sendMessageStream('Count');
  for await (const text of stream.textStream) if (text !== '') break;
  expect((await kit.client.cancelTask(await stream.id)).status.state).toBe('canceled');
  await left.promise;
});
