import { chunk } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { expect, it } from 'vitest';
import { scriptedModel } from '../../llm/support/mock-model.ts';
import { agentOf } from '../../support/script.ts';
import { sending, serveJaf } from './peer.ts';

it('the reasoning of a model is no part of the answer in JAF, in a stream, a send or a task (S1.2)', async () => {
  const model = scriptedModel({ reasoning: ['Secretly ', 'thinking.'], text: ['The ', 'answer.'] });
  const { peer } = await serveJaf(llmAgent({ name: 'thinker', description: 'Thinks', version: '1.0.0', model }));
  const frames = await peer.stream('message/stream', sending('Why?'));
  const shown = JSON.stringify(frames.map(({ data }) => data));
  expect(shown).not.toContain('thinking');
  expect(frames.at(-1)?.response.result).toMatchObject({
    kind: 'completion',
    message: { parts: [{ text: 'The answer.' }] },
  });
  const { taskId, message } = await peer.result('message/send', sending('Why?'));
  expect(message.parts).toEqual([{ kind: 'text', text: 'The answer.' }]);
  const { status } = await peer.result('tasks/get', { id: taskId });
  expect(status.message.parts).toEqual([{ kind: 'text', text: 'The answer.' }]);
  const again = await peer.stream('tasks/resubscribe', { id: taskId });
  expect(JSON.stringify(again.map(({ data }) => data))).not.toContain('thinking');
});

it('chunks of reasoning after the first one are told by their artifact, and an answer that is only reasoned about is empty (S1.2)', async () => {
  const agent = agentOf(async function* () {
    yield chunk('I ', { artifactId: 'thoughts', name: 'reasoning' });
    yield chunk('wonder', { artifactId: 'thoughts', append: true, lastChunk: true });
  });
  const { peer } = await serveJaf(agent);
  const frames = await peer.stream('message/stream', sending('Why?'));
  expect(frames.map(({ event }) => event)).toEqual(['status-update', 'completion']);
  expect(frames.at(-1)?.response.result.message.parts).toEqual([{ kind: 'text', text: '' }]);
});
