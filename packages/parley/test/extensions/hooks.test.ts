import { A2AError, reply } from 'parley-a2a';
import type { ExtensionDefinition } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const MONEY = 'https://example.com/ext/money/v1';
const NUMBERS = 'https://example.com/ext/numbers/v1';

/** Reads the currency of a request, and tells with each event which one its figures are in. */
const money: ExtensionDefinition = {
  uri: MONEY,
  onRequest({ data }) {
    if (data === undefined) return { currency: 'EUR' };
    if (data === 'gold') throw new A2AError('INVALID_PARAMS', 'Nobody pays in gold');
    return { currency: data };
  },
  onEvent: (event) => ({ of: event.kind }),
};

const numbers: ExtensionDefinition = { uri: NUMBERS, onEvent: (_, { seq }) => seq ?? null };

const asking = (...uris: string[]) => ({ 'a2a-extensions': uris.join(',') });

function start(extensions: readonly ExtensionDefinition[] = [money, numbers]) {
  const run = (task: { message: { metadata?: Wire } }) => JSON.stringify(task.message.metadata?.[MONEY] ?? 'nothing');
  return startServer(agentOf(run, { extensions }));
}

describe('onRequest', () => {
  it('changes what the agent finds under its URI, where the request names it', async () => {
    const { peer } = start();
    const sent = await peer.send('go', {}, undefined, asking(MONEY));
    expect(sent.artifacts[0].parts[0].text).toBe('{"currency":"EUR"}');
    const inDollars = await peer.send('go', { metadata: { [MONEY]: 'USD', other: 1 } }, undefined, asking(MONEY));
    expect(inDollars.artifacts[0].parts[0].text).toBe('{"currency":"USD"}');
    expect(inDollars.history[0].metadata).toEqual({ [MONEY]: { currency: 'USD' }, other: 1 });
  });

  it('is not called for a request that does not name it [rule:extension.inactive]', async () => {
    const { peer } = start();
    const sent = await peer.send('go', { metadata: { [MONEY]: 'gold' } });
    expect(sent.artifacts[0].parts[0].text).toBe('"gold"');
  });

  it('refuses with an A2AError, before there is a task', async () => {
    const { peer } = start();
    const params = sendParams('go', { metadata: { [MONEY]: 'gold' } });
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      expect(await peer.error(method, params, asking(MONEY))).toMatchObject({
        code: -32602,
        message: expect.stringContaining('gold'),
      });
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });
});

describe('onEvent', () => {
  it('adds to the metadata of every event and task that is sent to who named it [rule:extension.no-core-members]', async () => {
    const { peer } = start();
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'), asking(MONEY, NUMBERS));
    const seen = frames.map(({ id, result }) => {
      const [[kind, body]] = Object.entries<Wire>(result) as [[string, Wire]];
      return [kind, body.metadata, id];
    });
    expect(seen.length).toBeGreaterThan(3);
    const kinds: Wire = { task: 'task', statusUpdate: 'status', artifactUpdate: 'artifact' };
    for (const [kind, metadata, id] of seen) {
      expect(metadata).toEqual({ [MONEY]: { of: kinds[kind] }, [NUMBERS]: id });
    }
    const id: string = frames[0]?.result.task.id;
    expect((await peer.call('GetTask', { id }, asking(MONEY))).metadata).toEqual({ [MONEY]: { of: 'task' } });
    expect((await peer.call('GetTask', { id })).metadata).toBeUndefined();
    expect((await peer.call('ListTasks', {}, asking(NUMBERS))).tasks[0].metadata).toEqual({ [NUMBERS]: null });
  });

  it('adds to a bare message, which then lists it', async () => {
    const { peer } = startServer(agentOf(() => reply('Hi'), { extensions: [money] }));
    const message = await peer.send('go', {}, undefined, asking(MONEY));
    expect(message).toMatchObject({ extensions: [MONEY], metadata: { [MONEY]: { of: 'message' } } });
    expect(await peer.send('go')).not.toHaveProperty('extensions');
  });
});
