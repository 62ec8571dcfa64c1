import { isTask, type Part, type Task } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { conversationalAgent, EXTENSION } from './agent.ts';
import type { Peer, Sending } from './peer.ts';
import { PEER_NAMES, peersOf } from './peers.ts';

/** Every kind of part, with all that both versions can say about it. */
const PARTS: readonly Part[] = [
  { kind: 'text', text: 'echo' },
  { kind: 'text', text: '', metadata: { empty: true } },
  { kind: 'text', text: 'grüße\n🦜 \u2028 "quoted"', metadata: { deep: [1, null, { x: 'y' }] } },
  { kind: 'bytes', bytes: 'aGk=', mediaType: 'text/csv', filename: 'a.csv', metadata: { n: 1 } },
  { kind: 'bytes', bytes: '' },
  { kind: 'link', url: 'https://files.example/a?b=c', mediaType: 'text/html', filename: 'a.html' },
  { kind: 'data', data: { nested: { list: [1, 'two', null, false] } }, metadata: { schema: 'x' } },
  { kind: 'data', data: {} },
];

/** Data that 0.3 has no place for, but carries under a wrapper. */
const WRAPPED: readonly Part[] = [
  { kind: 'data', data: [1, { two: 3 }] },
  { kind: 'data', data: null },
  { kind: 'data', data: 'text' },
  { kind: 'data', data: 0, metadata: { unit: 'm' } },
  { kind: 'data', data: false },
  { kind: 'data', data: { value: 1 } },
];

const SENDING: Sending = {
  messageId: 'm-1',
  contextId: 'c-1',
  referenceTaskIds: ['t-before'],
  extensions: [EXTENSION],
  metadata: { [EXTENSION]: { span: 0 }, list: [null, 1.5, ''] },
  atOnce: false,
};

async function echoed(peer: Peer | undefined, parts: readonly Part[]): Promise<Task> {
  const answer = await peer?.send({ ...SENDING, parts });
  if (!answer || !isTask(answer)) throw new Error('A task was expected');
  return answer;
}

describe.each(PEER_NAMES)('what is sent through %s', (name) => {
  it.each([
    ['all kinds of parts', PARTS],
    ['data that 0.3 must wrap', [...PARTS.slice(0, 1), ...WRAPPED]],
  ])('arrives and comes back unchanged through every other: %s [rule:v03.round-trip] [rule:get.cross-binding]', async (_, parts) => {
    const { server } = startServer(conversationalAgent());
    const peers = peersOf(server.fetch);
    const sent = await echoed(
      peers.find((peer) => peer.name === name),
      parts,
    );
    const { id } = sent;
    const about = { taskId: id, contextId: 'c-1' };
    const { atOnce: _atOnce, ...message } = SENDING;
    for (const peer of peers) {
      const task = await peer.get(id);
      expect(task, peer.name).toEqual(sent);
      expect(task, peer.name).toEqual({
        id,
        contextId: 'c-1',
        status: {
          state: 'completed',
          timestamp: expect.any(String),
          message: {
            messageId: expect.any(String),
            role: 'agent',
            parts,
            ...about,
            metadata: { said: [1, null] },
            extensions: [EXTENSION],
          },
        },
        artifacts: [{ artifactId: 'echo', parts, metadata: { from: 'echo' }, extensions: [EXTENSION] }],
        history: [{ ...message, ...about, role: 'user', parts }],
      });
      const frames = await (await peer.subscribe(id, 0)).rest();
      const [update] = frames.filter(({ event }) => event.kind === 'artifact');
      expect(update?.event, peer.name).toMatchObject({ artifact: { parts } });
    }
  });
});
