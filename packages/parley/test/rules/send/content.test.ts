import { reply, type TaskContext } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const OPERATIONS = ['SendMessage', 'SendStreamingMessage'] as const;
const skill = (id: string, more: object = {}) => ({ id, name: id, description: id, tags: ['test'], ...more });

/** An agent that keeps what its runs saw. */
function recorder(more: Parameters<typeof agentOf>[1] = {}) {
  const seen: Pick<TaskContext, 'skill' | 'acceptedOutputModes' | 'parts' | 'metadata'>[] = [];
  const agent = agentOf((task) => {
    const { skill, acceptedOutputModes, parts, metadata } = task;
    seen.push({ skill, acceptedOutputModes, parts, metadata });
    return reply('seen');
  }, more);
  return { agent, seen };
}

describe('the media type of a part', () => {
  for (const operation of OPERATIONS) {
    it(`that no input mode covers is refused by ${operation} [rule:send.media-type]`, async () => {
      const { agent, seen } = recorder({ inputModes: ['text/plain', 'application/json'] });
      const { peer } = startServer(agent);
      const parts = [{ text: 'look' }, { raw: 'aGk=', mediaType: 'image/png' }];
      const error = await peer.error(operation, sendParams('', { parts }));
      expect(error.code).toBe(-32005);
      expect(error.data[0]).toMatchObject({ reason: 'CONTENT_TYPE_NOT_SUPPORTED', domain: 'a2a-protocol.org' });
      expect(error.message).toContain('image/png');
      expect(seen).toHaveLength(0);
    });
  }

  for (const mediaType of ['text/plain', 'TEXT/PLAIN', 'text/plain; charset=utf-8', 'application/json', 'image/png']) {
    it(`${mediaType} is taken where an input mode or a skill covers it [rule:send.media-type]`, async () => {
      const { agent, seen } = recorder({ skills: [skill('draw', { inputModes: ['image/png'] })] });
      const { peer } = startServer(agent);
      await peer.send('', { parts: [{ raw: 'aGk=', mediaType }] });
      expect(seen).toHaveLength(1);
    });
  }

  it('may be absent [rule:send.media-type-absent]', async () => {
    const { agent, seen } = recorder({ inputModes: ['audio/wav'] });
    const { peer } = startServer(agent);
    await peer.send('', { parts: [{ text: 'a' }, { raw: 'aGk=' }, { url: 'https://files.example/a' }, { data: [1] }] });
    expect(seen[0]?.parts.map((part) => part.kind)).toEqual(['text', 'bytes', 'link', 'data']);
  });

  it('is matched with the patterns that the card publishes [rule:send.media-type-absent]', async () => {
    const { agent, seen } = recorder({ inputModes: ['text/*', 'image/png'] });
    const { peer } = startServer(agent);
    for (const mediaType of ['text/markdown', 'text/html; charset=utf-8', 'image/png']) {
      await peer.send('', { parts: [{ text: 'a', mediaType }] });
    }
    expect(seen).toHaveLength(3);
    for (const mediaType of ['image/jpeg', 'textual/plain', 'application/text']) {
      const error = await peer.error('SendMessage', sendParams('', { parts: [{ text: 'a', mediaType }] }));
      expect(error.code).toBe(-32005);
    }
    const everything = recorder({ inputModes: ['*/*'] });
    await startServer(everything.agent).peer.send('', { parts: [{ raw: 'aGk=', mediaType: 'video/x-unheard-of' }] });
    expect(everything.seen).toHaveLength(1);
  });
});

it('tells the agent which output modes the caller accepts [rule:send.output-modes]', async () => {
  const { agent, seen } = recorder();
  const { peer } = startServer(agent);
  await peer.send('go', {}, { acceptedOutputModes: ['text/html', 'image/*'] });
  await peer.send('go');
  expect(seen.map((run) => run.acceptedOutputModes)).toEqual([['text/html', 'image/*'], []]);
});

it('tells the agent the metadata of the request', async () => {
  const { agent, seen } = recorder();
  const { peer } = startServer(agent);
  await peer.call('SendMessage', { ...sendParams('go'), metadata: { trace: 7, deep: { list: [null, true] } } });
  expect(seen[0]?.metadata).toEqual({ trace: 7, deep: { list: [null, true] } });
});

for (const operation of OPERATIONS) {
  it(`refuses a push config inside ${operation} while push is off [rule:send.inline-push-off]`, async () => {
    const { agent, seen } = recorder();
    const { peer } = startServer(agent, { push: false });
    const taskPushNotificationConfig = { url: 'https://client.example/hook' };
    const error = await peer.error(operation, sendParams('go', {}, { taskPushNotificationConfig }));
    expect(error.code).toBe(-32003);
    expect(error.data[0]).toMatchObject({ reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED', domain: 'a2a-protocol.org' });
    expect(seen).toHaveLength(0);
  });
}

describe('the skill that a run is told', () => {
  it('is the one that the message names [rule:send.skill]', async () => {
    const { agent, seen } = recorder({ skills: [skill('read'), skill('write')] });
    const { peer } = startServer(agent);
    await peer.send('go', { metadata: { skillId: 'write' } });
    await peer.send('go', { metadata: { skillId: 'read', other: 1 } });
    expect(seen.map((run) => run.skill)).toEqual(['write', 'read']);
  });

  it('is none where the message names none of several [rule:send.skill]', async () => {
    const { agent, seen } = recorder({ skills: [skill('read'), skill('write')] });
    const { peer } = startServer(agent);
    await peer.send('go');
    await peer.send('go', { metadata: { other: 'write' } });
    expect(seen.map((run) => run.skill)).toEqual([undefined, undefined]);
  });

  it('is the only one where the message names none [rule:send.skill]', async () => {
    const { agent, seen } = recorder({ skills: [skill('read')] });
    const { peer } = startServer(agent);
    await peer.send('go');
    await peer.send('go', { metadata: { skillId: 'read' } });
    expect(seen.map((run) => run.skill)).toEqual(['read', 'read']);
  });

  it('is not read from the metadata of the request [rule:send.skill]', async () => {
    const { agent, seen } = recorder({ skills: [skill('read'), skill('write')] });
    const { peer } = startServer(agent);
    await peer.call('SendMessage', { ...sendParams('go'), metadata: { skillId: 'write' } });
    expect(seen[0]?.skill).toBeUndefined();
  });

  for (const skillId of ['dance', 5, { id: 'read' }]) {
    it(`must be one that the agent has: ${JSON.stringify(skillId)} is refused`, async () => {
      const { agent, seen } = recorder({ skills: [skill('read'), skill('write')] });
      const { peer } = startServer(agent);
      for (const operation of OPERATIONS) {
        const error = await peer.error(operation, sendParams('go', { metadata: { skillId } }));
        expect(error.code).toBe(-32602);
      }
      expect(seen).toHaveLength(0);
    });
  }
});
