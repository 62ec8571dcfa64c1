import { A2AClient, A2AServer, type InputQuestion, textOf } from 'parley-a2a';
import type { InputHandlers } from 'parley-a2a/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wire } from '../support/rpc.ts';
import { anyNumber } from '../support/schemas/small-schemas.ts';
import { agentOf } from '../support/script.ts';
import { SPEAKERS, SPEAKERS_MOUNTS, type Speaker } from '../support/speakers.ts';

const agent = agentOf(async (task) => {
  const answers = await Promise.all([
    task.ask({ prompt: 'Which size?', choices: ['small', 'large'] }),
    task.ask({ prompt: 'How many?', schema: anyNumber }),
    task.ask('For whom?'),
    task.text === 'tools' ? task.tool('weather', { city: 'Oslo' }) : Promise.resolve('none'),
  ]);
  return JSON.stringify(answers);
});

const server = new A2AServer({ agents: [agent], mounts: SPEAKERS_MOUNTS });
beforeAll(() => server.listen({ port: 0 }));
afterAll(() => server.close());

const ANSWERS: Readonly<Record<string, string | number>> = { 'Which size?': '2', 'How many?': 7, 'For whom?': 'Ann' };
const weather = { description: 'The weather', execute: (args: unknown) => ({ sky: 'blue', args }) };

function connect({ path, options }: Speaker, handlers: InputHandlers): Promise<A2AClient> | A2AClient {
  const url = `${server.url}${path}`;
  return options.protocol === undefined
    ? A2AClient.connect(url, { ...options, ...handlers })
    : new A2AClient(url, { ...options, ...handlers, rpcPath: '' });
}

describe.each(SPEAKERS)('several questions to a client of $name', (speaker) => {
  it('are answered by one message, each by its own answer', async () => {
    const asked: InputQuestion[] = [];
    const client = await connect(speaker, {
      tools: { weather },
      onInput: (question: InputQuestion) => {
        asked.push(question);
        return ANSWERS[question.prompt.split('\n')[0] ?? ''];
      },
    });
    const got = '["large",7,"Ann",{"sky":"blue","args":{"city":"Oslo"}}]';
    expect(textOf(await client.sendMessage('tools'))).toBe(got);
    expect(asked.map(({ prompt }) => prompt)).toEqual(Object.keys(ANSWERS));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(3);
    const stream = client.sendMessageStream('words');
    expect(textOf(await stream.task)).toBe('["large",7,"Ann","none"]');
  });
});

describe('on the mount of S0', () => {
  const call = async (method: string, params: object): Promise<Wire> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${server.url}/api/a2a`, { method: 'POST', headers, body })).json();
  };
  const message = (parts: object[], more: object = {}) => ({
    message: { kind: 'message', role: 'user', messageId: crypto.randomUUID(), parts, ...more },
  });
  const result = (toolUseId: string, value: unknown) => ({ kind: 'tool-result', toolUseId, result: { value } });

  it('are listed as inputRequests beside the oldest, and each is answered by a tool-result that only references the task [seed:S0.7]', async () => {
    const { result: task } = await call('message/send', message([{ kind: 'text', text: 'tools' }]));
    const { inputRequest, inputRequests, parts } = task.status.message;
    expect(inputRequests).toMatchObject([
      { kind: 'input-request', prompt: 'Which size?', sensitive: false },
      { kind: 'input-request', prompt: 'How many?', sensitive: false },
      { kind: 'input-request', prompt: 'For whom?', sensitive: false },
      { kind: 'input-request', sensitive: false },
    ]);
    expect(inputRequest).toEqual(inputRequests[0]);
    const [size, count, whom, tool] = inputRequests.map(({ requestId }: Wire) => requestId);
    const use = { kind: 'tool-use', toolUseId: tool, name: 'weather', args: { city: 'Oslo' } };
    expect(parts).toContainEqual(use);
    const reference = { referenceTaskIds: [task.id] };
    const half = await call('message/send', message([result(count, 3), result(whom, 'Bob')], reference));
    expect(half.result).toMatchObject({ id: task.id, status: { state: 'input-required' } });
    expect(half.result.status.message.inputRequests.map(({ requestId }: Wire) => requestId)).toEqual([size, tool]);
    const wrong = await call('message/send', message([result(whom, 'Eve')], reference));
    expect(wrong.error).toMatchObject({
      code: -32602,
      data: { reason: `message.parts[0].toolUseId is not what the task waits for: that is ${size} or ${tool}` },
    });
    const sky = { kind: 'tool-result', toolUseId: tool, result: 'blue' };
    const done = await call('message/send', message([sky, result(size, 'small')], reference));
    expect(done.result.artifacts[0].parts[0].text).toBe('["small",3,"Bob","blue"]');
  });
});
