import { llmAgent, modelFromEnvironment } from 'parley-a2a/llm';
import { expect, it, onTestFinished } from 'vitest';
import { type Move, openaiServer, type Reply } from '../support/openai/openai-server.ts';
import { startServer } from '../support/rpc.ts';
import { saidBy } from './host.ts';

const MIB = 1024 * 1024;
/** More than any reader may keep. */
const FLOOD = 200;

it('an event of a model server that has no end is left before it fills the memory (S0.17)', async () => {
  let sent = 0;
  const model = await openaiServer(
    (): Reply => ({
      async *[Symbol.asyncIterator](): AsyncGenerator<Move> {
        yield { raw: 'data: {"choices":[{"delta":{"content":"' };
        for (; sent < FLOOD; sent += 1) yield { raw: 'x'.repeat(MIB) };
      },
    }),
  );
  onTestFinished(() => model.close());
  const environment = { PARLEY_MODEL: 'm', OPENAI_BASE_URL: model.url };
  const about = { name: 'talker', description: 'Talks', version: '1.0.0', model: modelFromEnvironment(environment) };
  const { peer } = startServer(llmAgent({ ...about, limits: { attempts: 1 } }));
  const task = await peer.send('Hi');
  expect([task.status.state, saidBy(task)]).toEqual(['TASK_STATE_FAILED', expect.stringMatching(/./)]);
  expect(await model.requests[0]?.ended).toBe('left');
  // The bound, and what sockets keep.
  expect(sent).toBeLessThan(80);
});
