import { A2AClient, type Content } from 'parley-a2a';
import type { ToolInput } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { agentWith, cardOf, fetchOf } from '../support/recorded.ts';

async function client() {
  const { fetch, sent } = fetchOf(agentWith(cardOf()));
  const agent = await A2AClient.connect('https://agent.example', { fetch });
  const params = () => JSON.parse(sent.at(-1)?.body ?? '').params;
  return { agent, params };
}

describe('a message as it is on a wire', () => {
  it('may be one of 0.3, files included (S0.19, S3.6)', async () => {
    const { agent, params } = await client();
    const file = { bytes: 'aGk=', mimeType: 'text/plain', name: 'hi.txt' };
    await agent.sendMessage({
      kind: 'message',
      messageId: 'm',
      role: 'user',
      parts: [
        { kind: 'text', text: 'hi' },
        { kind: 'file', file, metadata: { a: 1 } },
        { kind: 'file', file: { uri: 'https://files.example/1' } },
        { kind: 'data', data: { b: 2 } },
      ],
    } as unknown as Content);
    expect(params().message).toEqual({
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [
        { text: 'hi' },
        { raw: 'aGk=', mediaType: 'text/plain', filename: 'hi.txt', metadata: { a: 1 } },
        { url: 'https://files.example/1' },
        { data: { b: 2 } },
      ],
    });
  });

  it('may be one of 1.0', async () => {
    const { agent, params } = await client();
    const message = {
      messageId: 'm',
      role: 'ROLE_AGENT',
      parts: [
        { text: '' },
        { raw: 'aGk=', filename: 'hi.txt' },
        { url: 'https://files.example/1', mediaType: 'image/png' },
        { data: null },
      ],
    };
    await agent.sendMessage(message as unknown as Content);
    expect(params().message).toEqual(message);
    await agent.sendMessage({ text: 'hi' } as unknown as Content);
    expect(params().message.parts).toEqual([{ text: 'hi' }]);
  });

  it('has the metadata of its request beside it, as in the parameters of the protocol', async () => {
    const { agent, params } = await client();
    await agent.sendMessage({ message: 'hi', metadata: { a: 1 } });
    expect(params().metadata).toEqual({ a: 1 });
    await agent.sendMessage({ message: 'hi', metadata: { a: 1 } }, { metadata: { b: 2 } });
    expect(params().metadata).toEqual({ b: 2 });
  });
});

describe('what cannot be sent', () => {
  it.for([
    [undefined, 'must be a text, a part'],
    [null, 'must be a text, a part'],
    [5, 'must be a text, a part'],
    [{}, 'exactly one of text, raw, url, data'],
    [{ raw: 'not base64' }, 'raw must be base64 text'],
    [{ kind: 'file', file: {} }, 'file must have exactly one of bytes, uri'],
    [[], 'no parts'],
    [[null], 'a part that is none'],
    [{ message: null }, 'no message'],
    [{ parts: [{ kind: 'video' }] }, 'unknown kind video'],
    [{ parts: ['hi'], role: 'system' }, 'unknown role system'],
    [{ message: 'hi', configuration: { pushNotificationConfig: { url: 'https://me.example' } } }, 'is pushConfig here'],
  ] as const)('is refused in words, never overlooked: %j', async ([content, words]) => {
    const { agent } = await client();
    const sending = agent.sendMessage(content as unknown as Content);
    await expect(sending).rejects.toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining(words) });
  });
});

it.for([
  undefined,
  null,
  {},
  { task: 5 },
  'hi',
])('a tool never throws, whatever a model puts in: %j (S3.7)', async (input) => {
  const { agent } = await client();
  const output = await agent.asTool().execute(input as unknown as ToolInput);
  expect(output).toEqual({ output: '', success: false, error: 'The input must have a text, task' });
});
