import { Extensions } from '@a2a-js/sdk';
import { ServiceParameters, withA2AExtensions } from '@a2a-js/sdk/client';
import { ExtensionSupportRequiredError } from '@a2a-js/sdk/errors';
import { reply } from 'parley-a2a';
import { RESUME_EXTENSION } from 'parley-a2a/extensions';
import { expect, it } from 'vitest';
import { agentOf } from '../support/script.ts';
import { expectError, expectStreamError } from './support/errors.ts';
import { allOf, assembledTexts, payloadOf } from './support/events.ts';
import { artifactTexts, messageOf, sending, taskOf, textOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { type Exchange, served } from './support/sdk.ts';

const TIMES = { uri: 'urn:test:times:v1', description: 'Times of the day', params: { zones: ['UTC', 'CET'] } };
const PLACES = { uri: 'urn:test:places:v1' };

const asking = (...extensions: string[]) => ({
  serviceParameters: ServiceParameters.create(withA2AExtensions(...extensions)),
});

everyMatrix((row) => {
  /** The SDK writes the name that belongs to the version; the answer must have the same. */
  const header = row.version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';
  const activated = (exchange: Exchange | undefined) =>
    Extensions.parseServiceParameter(exchange?.received.get(header) ?? undefined);

  it('reads on the card which extensions there are', async () => {
    const { card } = await served(
      row,
      agentOf(() => reply('hi'), { extensions: [TIMES, PLACES] }),
    );
    const declared = card.capabilities?.extensions ?? [];
    const uris = declared.map(({ uri }) => uri);
    expect(uris[0]).toBe(RESUME_EXTENSION);
    expect(uris.slice(-2)).toEqual([TIMES.uri, PLACES.uri]);
    expect(declared.at(-2)).toMatchObject(TIMES);
    expect(declared.every(({ required }) => !required)).toBe(true);
  });

  it.runIf(row.sdk.usesFetch)('asks for extensions and is told which are active', async () => {
    const agent = agentOf((task) => reply(task.extensions.join(' ')), { extensions: [TIMES, PLACES] });
    const { client, wire } = await served(row, agent);
    const wanted = asking(TIMES.uri, 'urn:test:unknown');
    const message = messageOf(await client.sendMessage(sending('hello'), wanted));
    expect(textOf(message.parts)).toBe(TIMES.uri);
    expect(wire[0]?.sent.get(header)).toBe(`${TIMES.uri},urn:test:unknown`);
    expect(activated(wire[0])).toEqual([TIMES.uri]);
  });

  it.runIf(row.sdk.usesFetch)('asks for them with a stream', async () => {
    const agent = agentOf((task) => task.extensions.join(' '), { extensions: [TIMES, PLACES] });
    const { client, wire } = await served(row, agent);
    const events = await allOf(client.sendMessageStream(sending('hello'), asking(PLACES.uri, TIMES.uri)));
    expect(assembledTexts(events, row)).toEqual([`${TIMES.uri} ${PLACES.uri}`]);
    expect(activated(wire[0])).toEqual([TIMES.uri, PLACES.uri]);
  });

  it('is told that an extension is required', async () => {
    const agent = agentOf((task) => task.text, { extensions: [{ ...TIMES, required: true }] });
    const { client, card } = await served(row, agent);
    expect(card.capabilities?.extensions.at(-1)).toMatchObject({ uri: TIMES.uri, required: true });
    const missing = { type: ExtensionSupportRequiredError, code: -32008, status: 400 };
    const error = await expectError(row, client.sendMessage(sending('hello')), missing);
    expect(error.message).toContain(TIMES.uri);
    await expectStreamError(row, allOf(client.sendMessageStream(sending('hello'))), missing);
    expect(artifactTexts(taskOf(await client.sendMessage(sending('hello'), asking(TIMES.uri))))).toEqual(['hello']);
  });

  it.runIf(row.sdk.usesFetch)(
    'sends the same thing twice and gets one task, with a key that the client lets through',
    async () => {
      let runs = 0;
      const agent = agentOf((task) => {
        runs += 1;
        return task.text;
      });
      const { client, wire } = await served(row, agent);
      const once = { serviceParameters: { 'Idempotency-Key': 'k-1' } };
      const request = sending('hello');
      const first = taskOf(await client.sendMessage(request, once));
      const [again] = await allOf(client.sendMessageStream(request, once));
      expect(payloadOf(again, 'task')?.id).toBe(first.id);
      expect(runs).toBe(1);
      expect(activated(wire[0])).toEqual([RESUME_EXTENSION]);
    },
  );
});
