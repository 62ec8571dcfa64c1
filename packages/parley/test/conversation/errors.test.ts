import { isTask, type Task } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { conversationalAgent } from './agent.ts';
import { failureOf, type Peer, type Sending } from './peer.ts';
import { PEER_NAMES, peersOf } from './peers.ts';

/** What a mistake needs: a client, a task that is over, and one that waits for an answer. */
interface Scene {
  readonly peer: Peer;
  readonly over: string;
  readonly waiting: string;
}

const message = (more: Partial<Sending> = {}): Sending => ({ messageId: 'm-x', text: 'greet', atOnce: false, ...more });
const image = { kind: 'bytes', bytes: 'aGk=', mediaType: 'image/png' } as const;

const MISTAKES: Readonly<Record<string, readonly [string, (scene: Scene) => Promise<unknown>]>> = {
  'getting an unknown task': ['TASK_NOT_FOUND', ({ peer }) => peer.get('unknown')],
  'cancelling an unknown task': ['TASK_NOT_FOUND', ({ peer }) => peer.cancel('unknown')],
  'subscribing to an unknown task': ['TASK_NOT_FOUND', ({ peer }) => peer.subscribe('unknown')],
  'resuming an unknown task': ['TASK_NOT_FOUND', ({ peer }) => peer.subscribe('unknown', 3)],
  'a message to an unknown task': ['TASK_NOT_FOUND', ({ peer }) => peer.send(message({ taskId: 'unknown' }))],
  'a streamed message to an unknown task': [
    'TASK_NOT_FOUND',
    ({ peer }) => peer.stream(message({ taskId: 'unknown' })),
  ],
  'a message to a task that is over': [
    'UNSUPPORTED_OPERATION',
    ({ peer, over }) => peer.send(message({ taskId: over })),
  ],
  'a streamed message to a task that is over': [
    'UNSUPPORTED_OPERATION',
    ({ peer, over }) => peer.stream(message({ taskId: over })),
  ],
  'subscribing to a task that is over': ['UNSUPPORTED_OPERATION', ({ peer, over }) => peer.subscribe(over)],
  'cancelling a task that is over': ['TASK_NOT_CANCELABLE', ({ peer, over }) => peer.cancel(over)],
  'a message without parts': ['INVALID_PARAMS', ({ peer }) => peer.send(message({ parts: [] }))],
  'a streamed message without parts': ['INVALID_PARAMS', ({ peer }) => peer.stream(message({ parts: [] }))],
  'a message without an id': ['INVALID_PARAMS', ({ peer }) => peer.send(message({ messageId: '' }))],
  'a history that is shorter than nothing': ['INVALID_PARAMS', ({ peer, over }) => peer.get(over, -1)],
  'the same in a send': ['INVALID_PARAMS', ({ peer }) => peer.send(message({ historyLength: -1 }))],
  'a history of one and a half': ['INVALID_PARAMS', ({ peer, over }) => peer.get(over, 1.5)],
  'another context than that of the task': [
    'INVALID_PARAMS',
    ({ peer, waiting }) => peer.send(message({ taskId: waiting, contextId: 'another' })),
  ],
  'a skill that there is not': [
    'INVALID_PARAMS',
    ({ peer }) => peer.send(message({ metadata: { skillId: 'juggling' } })),
  ],
  'a media type that is not taken': [
    'CONTENT_TYPE_NOT_SUPPORTED',
    ({ peer }) => peer.send(message({ parts: [image] })),
  ],
  'a media type that is not taken, streamed': [
    'CONTENT_TYPE_NOT_SUPPORTED',
    ({ peer }) => peer.stream(message({ parts: [image] })),
  ],
  'a body of another content type': ['CONTENT_TYPE_NOT_SUPPORTED', ({ peer }) => peer.sendAs('text/plain', message())],
  'a call that there is not': ['METHOD_NOT_FOUND', ({ peer }) => peer.callUnknown()],
};

async function taskOf(peer: Peer, sending: Sending): Promise<Task> {
  const answer = await peer.send(sending);
  if (!isTask(answer)) throw new Error('A task was expected');
  return answer;
}

describe.each(PEER_NAMES)('through %s', (name) => {
  it.each(Object.entries(MISTAKES))('%s is the same error as everywhere [rule:errors.equivalent]', async (_, [
    reason,
    make,
  ]) => {
    const { server, logged } = startServer(conversationalAgent());
    const peers = peersOf(server.fetch);
    const peer = peers.find((candidate) => candidate.name === name);
    if (!peer) throw new Error('There is no such peer');
    const over = await taskOf(peer, message({ messageId: 'm-1', text: 'report' }));
    const waiting = await taskOf(peer, message({ messageId: 'm-2', text: 'book' }));
    expect(await failureOf(make({ peer, over: over.id, waiting: waiting.id }))).toBe(reason);
    // Nothing came of it.
    const after = await Promise.all([peer.get(over.id), peer.get(waiting.id)]);
    expect(after).toEqual([over, waiting]);
    expect(server.load.subscriptions).toBe(0);
    expect(logged).toEqual([]);
  });
});
