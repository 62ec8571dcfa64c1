import type { AgentCard } from '@a2a-js/sdk';
import {
  A2AError,
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  isJsonRpcError,
  isRestError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { describe, expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { agentOf } from '../support/script.ts';
import { expectError, expectStreamError, failureOf } from './support/errors.ts';
import { allOf } from './support/events.ts';
import { partOf, sending, taskOf } from './support/messages.ts';
import { everyMatrix, type Row } from './support/rows.ts';
import { served } from './support/sdk.ts';

const NOT_FOUND = { type: TaskNotFoundError, code: -32001, status: 404 };
const NO_PUSH = { type: PushNotificationNotSupportedError, code: -32003, status: 400 };
const UNSUPPORTED = { type: UnsupportedOperationError, code: -32004, status: 400 };
const WRONG_CONTENT = { type: ContentTypeNotSupportedError, code: -32005, status: 400 };
const NOT_CONFIGURED = { type: ExtendedAgentCardNotConfiguredError, code: -32007, status: 400 };

const WEBHOOK = {
  tenant: '',
  id: 'hook',
  url: 'https://example.com/hook',
  token: 'secret',
  authentication: { scheme: 'Bearer', credentials: 'abc' },
};

/** The card as an agent with these capabilities would publish it: the SDK asks only for what a card declares. */
function claiming(capabilities: Partial<AgentCard['capabilities']>) {
  const alter = (card: AgentCard): AgentCard => ({
    ...card,
    capabilities: { extensions: [], ...card.capabilities, ...capabilities },
  });
  return { alter };
}

const isNamed = ({ version, binding }: Row) => version === '0.3' && binding === 'GRPC';

everyMatrix((row) => {
  it('says of every error what it is about', async () => {
    const { client } = await served(row, lab);
    const error = await expectError(row, client.getTask({ id: 'unknown', tenant: '' }), NOT_FOUND);
    expect([error.name, error.reason]).toEqual(['TaskNotFoundError', 'TASK_NOT_FOUND']);
    // The text of 0.3 over gRPC has the name before it, by which other SDKs know the error.
    expect(error.message).toBe(isNamed(row) ? 'TaskNotFoundError: Task not found' : 'Task not found');
    // The facts of an error: in JSON-RPC of 1.0 as they stand, of 0.3 none, over HTTP+JSON read by the SDK.
    const facts = { taskId: 'unknown' };
    if (isRestError(error)) expect(error.metadata).toEqual(facts);
    if (!isJsonRpcError(error)) return;
    const info = { reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org', metadata: facts };
    if (row.version === '1.0') expect(error.data).toMatchObject([info]);
    else expect(error.data).toBeUndefined();
  });

  it('is told that a task to go on with is not there', async () => {
    const { client } = await served(row, lab);
    const request = sending('more', { message: { taskId: 'unknown' } });
    await expectError(row, client.sendMessage(request), NOT_FOUND);
    await expectStreamError(row, allOf(client.sendMessageStream(request)), NOT_FOUND);
  });

  it('is told that the agent does not take such content', async () => {
    const { client } = await served(row, lab);
    const picture = partOf({ $case: 'raw', value: Buffer.from([1, 2, 3]) }, { mediaType: 'image/png' });
    await expectError(row, client.sendMessage(sending([picture])), WRONG_CONTENT);
    const error = await expectStreamError(row, allOf(client.sendMessageStream(sending([picture]))), WRONG_CONTENT);
    expect(error.message).toContain('image/png');
  });

  it('is told that the agent does not stream, if it asks all the same', async () => {
    const agent = agentOf((task) => task.text, { streaming: false });
    const { client } = await served(row, agent, {}, claiming({ streaming: true }));
    await expectStreamError(row, allOf(client.sendMessageStream(sending('hello'))), UNSUPPORTED);
  });

  it('is told what is wrong with a request', async () => {
    const { client } = await served(row, lab);
    const error = await failureOf(client.sendMessage(sending('hello', { message: { messageId: '' } })));
    expect(error).toBeInstanceOf(A2AError);
    expect(error).toHaveProperty('message', expect.stringMatching(/messageId/));
    // In 1.0 over HTTP+JSON the SDK knows the class by a reason that is none of the protocol's; the status tells.
    if (row.version === '1.0' && row.binding === 'HTTP+JSON') expect(error).toMatchObject({ statusCode: 400 });
    else expect(error).toBeInstanceOf(RequestMalformedError);
  });

  describe('about push notifications, which are not supported', () => {
    it('fails in the client for what the card does not declare', async () => {
      const { client, wire } = await served(row, lab, { push: false });
      // These three throw before they give a promise.
      const create = async () => client.createTaskPushNotificationConfig({ ...WEBHOOK, taskId: 't' });
      const get = async () => client.getTaskPushNotificationConfig({ taskId: 't', id: 'hook', tenant: '' });
      const list = async () =>
        client.listTaskPushNotificationConfig({ taskId: 't', tenant: '', pageSize: 0, pageToken: '' });
      for (const attempt of [create, get, list]) {
        expect(await failureOf(attempt())).toBeInstanceOf(PushNotificationNotSupportedError);
      }
      expect(wire).toEqual([]);
    });

    it('fails on the server for a client that asks all the same', async () => {
      const { client, wire } = await served(row, lab, { push: false }, claiming({ pushNotifications: true }));
      const { id: taskId } = taskOf(await client.sendMessage(sending('say hi')));
      const one = { taskId, id: 'hook', tenant: '' };
      const all = { taskId, tenant: '', pageSize: 0, pageToken: '' };
      await expectError(row, client.createTaskPushNotificationConfig({ ...WEBHOOK, taskId }), NO_PUSH);
      await expectError(row, client.getTaskPushNotificationConfig(one), NO_PUSH);
      await expectError(row, client.listTaskPushNotificationConfig(all), NO_PUSH);
      await expectError(row, client.deleteTaskPushNotificationConfig(one), NO_PUSH);
      if (row.sdk.usesFetch) expect(wire).toHaveLength(5);
    });

    it('fails on the server for a send that brings a webhook', async () => {
      const { client } = await served(row, lab, { push: false });
      const configuration = { taskPushNotificationConfig: { ...WEBHOOK, taskId: '' } };
      await expectError(row, client.sendMessage(sending('say hi', { configuration })), NO_PUSH);
      await expectStreamError(row, allOf(client.sendMessageStream(sending('say hi', { configuration }))), NO_PUSH);
    });
  });

  describe('about the extended card', () => {
    it('makes no request if the card declares none, and has the card it knows', async () => {
      const { client, card, wire } = await served(row, lab);
      expect(await client.getAgentCard()).toEqual(card);
      expect(wire).toEqual([]);
    });

    it('is told that there is none, if it asks all the same', async () => {
      const { client } = await served(row, lab, {}, claiming({ extendedAgentCard: true }));
      await expectError(row, client.getAgentCard(), row.version === '1.0' ? UNSUPPORTED : NOT_CONFIGURED);
    });

    it('is told that it is declared and not configured', async () => {
      const { client } = await served(
        row,
        agentOf((task) => task.text, { extendedCard: true }),
      );
      await expectError(row, client.getAgentCard(), NOT_CONFIGURED);
    });

    it('is told to authenticate where there is one', async () => {
      const extendedCard = { description: 'More about it' };
      const { client, wire } = await served(
        row,
        agentOf((task) => task.text, { extendedCard }),
      );
      const error = await failureOf(client.getAgentCard());
      expect(error).toHaveProperty('message', expect.stringContaining('authenticated callers only'));
      if (row.sdk.usesFetch) expect(wire.map(({ status }) => status)).toEqual([401]);
    });
  });
});
