import type { AgentCard } from '@a2a-js/sdk';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import { inputRequired } from 'parley-a2a';
import { expect, it } from 'vitest';
import { agentOf } from '../support/script.ts';
import { expectError } from './support/errors.ts';
import { allOf, assembledTexts, reading } from './support/events.ts';
import { artifactTexts, sending, taskOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { served } from './support/sdk.ts';

const TENANTS = ['acme', 'Straße/1 & co'];
const NOT_FOUND = { type: TaskNotFoundError, code: -32001, status: 404 };

/** An agent that keeps asking and tells whose task it is. */
const agent = agentOf(async (task) => {
  await task.write(`${task.user.tenant || 'nobody'} said ${task.text}. `);
  return task.text === 'done' ? undefined : inputRequired('And now?');
});

/** A client takes its tenant from the interface that it chooses, so it is left with those of one tenant. */
function only(tenant: string): { readonly alter: (card: AgentCard) => AgentCard } {
  const alter = (card: AgentCard): AgentCard => ({
    ...card,
    supportedInterfaces: card.supportedInterfaces.filter((entry) => (entry.tenant || '') === tenant),
  });
  return { alter };
}

const listing = { contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined };

everyMatrix((row) => {
  if (!row.sdk.knowsTenants) {
    // 0.3 has no tenants, neither in requests nor on cards: its clients are in none.
    it('is in no tenant', async () => {
      const { client, card } = await served(row, agent, { tenants: TENANTS });
      expect(new Set(card.supportedInterfaces.map((entry) => entry.tenant))).toEqual(new Set(['']));
      const task = taskOf(await client.sendMessage(sending('hello', { tenant: 'acme' })));
      expect(artifactTexts(task)).toEqual(['nobody said hello. ']);
    });
    return;
  }

  it.each(TENANTS)('has all operations in the tenant of its interface: %s', async (tenant) => {
    const { client, connect } = await served(row, agent, { tenants: TENANTS }, only(tenant));
    const { id, artifacts } = taskOf(await client.sendMessage(sending('hello')));
    expect(artifacts).toHaveLength(1);
    expect(artifactTexts(await client.getTask({ id, tenant: '' }))).toEqual([`${tenant} said hello. `]);
    expect((await client.listTasks({ ...listing, tenant: '' })).tasks.map((task) => task.id)).toEqual([id]);
    const subscription = reading(client.resubscribeTask({ id, tenant: '' }));
    expect(await subscription.until(() => true)).toHaveLength(1);
    const answer = sending('done', { message: { taskId: id } });
    const events = await allOf(client.sendMessageStream(answer));
    expect(assembledTexts(events, row)).toEqual([`${tenant} said hello. `, `${tenant} said done. `]);
    await subscription.rest();
    const other = taskOf(await client.sendMessage(sending('hello')));
    expect((await client.cancelTask({ id: other.id, tenant: '', metadata: undefined })).id).toBe(other.id);

    const { client: nobody } = await connect(only(''));
    await expectError(row, nobody.getTask({ id, tenant: '' }), NOT_FOUND);
    expect((await nobody.listTasks({ ...listing, tenant: '' })).tasks).toEqual([]);
    expect((await nobody.getTask({ id, tenant })).artifacts).toHaveLength(2);
  });

  it('is told that an unknown tenant is not found', async () => {
    const { client } = await served(row, agent, { tenants: TENANTS }, only(''));
    await expectError(row, client.sendMessage(sending('hello', { tenant: 'nobody' })), NOT_FOUND);
    await expectError(row, client.getTask({ id: 'unknown', tenant: 'nobody' }), NOT_FOUND);
  });

  // Of several interfaces with one binding and version 1.0 the SDK takes the last, not the first as it should: left
  // alone with a card that lists tenants, it is in the last of them.
  it('is, left alone, in the last tenant of the card', async () => {
    const { client } = await served(row, agent, { tenants: TENANTS });
    const task = taskOf(await client.sendMessage(sending('done')));
    expect(artifactTexts(task)).toEqual([`${TENANTS.at(-1)} said done. `]);
  });
});
