import { A2AClient, A2AServer, textOf } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** Loses the connection of the first answer: before the server has it, or after. */
function losing(
  serve: typeof fetch,
  when: 'before' | 'after',
): { readonly fetch: typeof fetch; readonly answers: string[] } {
  const answers: string[] = [];
  const lossy: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, params } = (request.method === 'POST' ? await request.clone().json() : {}) as Wire;
    if (method !== 'SendStreamingMessage' || params.message.taskId === undefined) return serve(request);
    answers.push(params.message.messageId);
    if (answers.length > 1) return serve(request);
    if (when === 'after') await serve(request);
    throw Object.assign(new TypeError('fetch failed'), { cause: new Error('reset') });
  };
  return { fetch: lossy, answers };
}

it.each([
  'before',
  'after',
] as const)('an answer lost %s it arrived is sent again, and nobody is asked twice', async (when) => {
  const agent = agentOf(async function* (task) {
    yield `Hello ${await task.ask('Who?')} `;
    yield `and ${await task.ask('Who else?')}`;
  });
  const server = new A2AServer({ agents: [agent], anonymous: 'shared' });
  onTestFinished(() => server.close());
  const { fetch, answers } = losing((input, init) => server.fetch(new Request(input, init)), when);
  const reconnect = { firstDelay: 1, longestDelay: 1, attempts: 5 };
  const client = await A2AClient.connect('http://localhost', { fetch, reconnect });
  const asked: string[] = [];
  const stream = client.sendMessageStream('Hi', {
    onInput: ({ prompt }) => {
      asked.push(prompt);
      return ['Ann', 'Ben'][asked.length - 1] ?? 'nobody';
    },
  });
  expect(textOf(await stream.task)).toBe('Hello Ann and Ben');
  expect(asked).toEqual(['Who?', 'Who else?']);
  expect(answers).toHaveLength(3);
  expect(answers[0]).toBe(answers[1]);
  const { history } = await client.getTask((await stream.task).id);
  expect(history.filter(({ role }) => role === 'user').map((message) => textOf(message))).toEqual(['Hi', 'Ann', 'Ben']);
});
