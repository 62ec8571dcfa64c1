import type { AgentExecutor } from '@a2a-js/sdk/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as executors from './executors.ts';
import { CALLERS, onOfficial, onParley } from './hosts.ts';
import type { Caller, Seen, SeenTask } from './seen.ts';

// The same executor on the official server and on ours, asked by the same client: what the caller has in the end is
// the same. Where it is not, that is on purpose, and the reason stands here.

interface Case {
  readonly executor: () => AgentExecutor;
  readonly ask: (caller: Caller) => Promise<Seen>;
  /** What differs, and why. */
  readonly differs?: { readonly reason: string; readonly official: unknown; readonly parley: unknown };
}

const send = (text: string) => (caller: Caller) => caller.send(text);
const stream = (text: string) => (caller: Caller) => caller.stream(text);
const sendAndGet = (text: string) => async (caller: Caller) => {
  await caller.send(text);
  return caller.get(caller.taskId);
};
/** Three turns, each with the task's id. */
const talk = (way: 'send' | 'stream') => async (caller: Caller) => {
  await caller[way]('What is the weather?');
  await caller[way]('Paris', caller.taskId);
  return caller[way]('Monday', caller.taskId);
};

const GENERIC = expect.stringMatching(/^agent: The agent failed\. Reference: /);

const CASES: Readonly<Record<string, Case>> = {
  'streams many chunks': { executor: () => new executors.Streaming(), ask: send('Line') },
  'streams many chunks, read as a stream': { executor: () => new executors.Streaming(), ask: stream('Line') },
  'publishes one whole task': { executor: () => new executors.TaskOnly(), ask: sendAndGet('All') },
  'answers with a message': { executor: () => new executors.MessageOnly(), ask: send('hello') },
  'answers a stream with a message': { executor: () => new executors.MessageOnly(), ask: stream('hello') },
  'asks twice': { executor: () => new executors.Conversation(), ask: talk('send') },
  'asks twice in streams': { executor: () => new executors.Conversation(), ask: talk('stream') },
  'fails with its own words': { executor: () => new executors.Ending(), ask: send('failed') },
  rejects: { executor: () => new executors.Ending(), ask: send('rejected') },
  'wants an authorization': { executor: () => new executors.Ending(), ask: sendAndGet('auth') },
  'goes on after an authorization': {
    executor: () => new executors.Ending(),
    ask: async (caller) => {
      await caller.send('auth');
      return caller.send('here it is', caller.taskId);
    },
    differs: {
      reason: 'The message to a task that waits for an authorization is a credential: no history has it.',
      official: { talk: ['user: auth', 'agent: Sign in first', 'user: here it is', 'agent: Signed in'] },
      parley: { talk: ['user: auth', 'agent: Sign in first', 'agent: Signed in'] },
    },
  },
  'publishes after the end': { executor: () => new executors.PublishesAfterTheEnd(), ask: sendAndGet('Go') },
  'never finishes': {
    executor: () => {
      const executor = new executors.NeverFinishes();
      onTestFinished(() => executor.left.resolve());
      return executor;
    },
    ask: send('Go'),
  },
  'is canceled': {
    executor: () => new executors.Cancellable(),
    ask: async (caller) => {
      const id = await caller.begin('Go');
      await caller.cancel(id);
      return caller.get(id);
    },
  },
  'is canceled while it asks': {
    executor: () => new executors.Conversation(),
    ask: async (caller) => {
      await caller.send('What is the weather?');
      await caller.cancel(caller.taskId);
      return caller.get(caller.taskId);
    },
  },
  throws: {
    executor: () => new executors.Throwing(),
    ask: sendAndGet('Go'),
    differs: {
      reason:
        'The text of an error may hold what no caller should see: it goes to the log, with a reference. ' +
        'And what was said before is kept.',
      official: { state: 'failed', talk: ['user: Go', 'agent: Agent execution error: password=hunter2'] },
      parley: { state: 'failed', talk: ['user: Go', 'agent: Trying', GENERIC] },
    },
  },
  'throws at once': {
    executor: () => new executors.ThrowsAtOnce(),
    ask: sendAndGet('Go'),
    differs: {
      reason: 'As above.',
      official: { state: 'failed', talk: ['user: Go', 'agent: Agent execution error: password=hunter2'] },
      parley: { state: 'failed', talk: ['user: Go', GENERIC] },
    },
  },
  'returns without a final status': {
    executor: () => new executors.ReturnsEarly(),
    ask: sendAndGet('Go'),
    differs: {
      reason:
        'No task stays at work for ever. A run that returns is done, as with `defineAgent`; the log has a warning.',
      official: { state: 'working' },
      parley: { state: 'completed' },
    },
  },
  'makes up its own ids': {
    executor: () => new executors.OwnIds(),
    ask: sendAndGet('Go'),
  },
};

describe.each(CALLERS)('asked by %s, an executor that', (_client, connect) => {
  for (const [name, { executor, ask, differs }] of Object.entries(CASES)) {
    it(`${name}${differs ? ' (differs on purpose)' : ''}`, async () => {
      const official = await ask(await connect(await onOfficial(executor())));
      const parley = await ask(await connect(await onParley(executor())));
      if (!differs) {
        expect(parley).toEqual(official);
        return;
      }
      expect({ ...official, ...(differs.official as object) }).toEqual(official);
      expect(parley).toEqual({ ...official, ...(differs.parley as object) });
      expect(differs.reason).not.toBe('');
    });
  }
});

it('looks at something', async () => {
  const caller = await CALLERS[1][1](await onParley(new executors.Streaming()));
  const seen = (await caller.send('Line')) as SeenTask;
  expect(seen.artifacts.map(({ id, name, kinds }) => [id, name, kinds.length])).toEqual([
    ['report', 'report.txt', executors.CHUNKS],
    ['notes', 'notes', 2],
  ]);
  expect(seen.artifacts[1]?.metadata).toEqual({ draft: true, pages: 2 });
  expect(seen.talk).toEqual(['user: Line', 'agent: Writing', 'agent: Written']);
  expect(seen.metadata).toEqual({ words: 400 });
});
