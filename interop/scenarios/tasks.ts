import { NotOffered } from '../calling.ts';
import { textOf } from '../seen.ts';
import {
  allOf,
  asTask,
  check,
  checkEqual,
  lastState,
  releasing,
  type Scenario,
  say,
  settled,
  taskIdOf,
  textOfStream,
  told,
} from './scenario.ts';

/** Sending and asking. */
export const TASKS: readonly Scenario[] = [
  {
    name: 'card',
    run: async ({ caller }) => checkEqual(caller.card, { name: 'scripted', skills: 1, streaming: true }, 'the card'),
  },
  {
    name: 'send',
    run: async ({ caller }) => {
      const task = asTask(await caller.send(say('hello')));
      checkEqual(task.state, 'completed', 'the state');
      checkEqual(textOf(task.parts), 'You said hello', 'the text');
      check(task.contextId !== '', 'the task has no context');
    },
  },
  {
    name: 'send, without waiting',
    run: async ({ caller, host }) => {
      const { id, state } = asTask(await caller.send(say('gate'), false));
      check(state === 'submitted' || state === 'working', `the state is ${state} at once`);
      const task = await releasing(host, settled(caller, id, 'completed'));
      checkEqual(textOf(task.parts), 'one two', 'the text');
    },
  },
  {
    name: 'send, answered with a message',
    run: async ({ caller }) =>
      checkEqual(await caller.send(say('reply')), { kind: 'message', text: 'Hi' }, 'the answer'),
  },
  {
    name: 'send, failed task',
    run: async ({ caller }) => {
      const task = asTask(await caller.send(say('fail')));
      checkEqual([task.state, task.said], ['failed', 'It broke'], 'the status');
    },
  },
  {
    name: 'stream',
    run: async ({ caller }) => {
      const events = await allOf(caller.stream(say('chunks')));
      checkEqual(textOfStream(events), 'one two three', 'the text');
      checkEqual(lastState(events), 'completed', 'the last state');
      const id = taskIdOf(events);
      const task = await caller.get(id);
      checkEqual(textOf(task.parts), 'one two three', 'the text of the task');
      const count = events.filter((event) => 'state' in event && event.state === 'completed').length;
      check(count === 1, `completed was told ${count} times: ${told(events)}`);
    },
  },
  {
    name: 'stream, answered with a message',
    run: async ({ caller }) =>
      checkEqual(await allOf(caller.stream(say('reply'))), [{ kind: 'message', text: 'Hi' }], 'the stream'),
  },
  {
    name: 'get',
    run: async ({ caller }) => {
      const sent = asTask(await caller.send(say('hello')));
      const task = await caller.get(sent.id);
      checkEqual([task.id, task.contextId, task.state], [sent.id, sent.contextId, 'completed'], 'the task');
      checkEqual(textOf(task.parts), 'You said hello', 'the text');
      check(task.history.includes('hello'), 'the message is not in the history');
    },
  },
  {
    name: 'list',
    run: async ({ caller, version }) => {
      if (version === '0.3') throw new NotOffered('A2A 0.3 has no such operation.');
      const { id, contextId } = asTask(await caller.send(say('hello')));
      await caller.send(say('hello'));
      const tasks = await caller.list(contextId);
      checkEqual(
        tasks.map((task) => [task.id, task.state]),
        [[id, 'completed']],
        'the list',
      );
    },
  },
  {
    name: 'cancel',
    run: async ({ caller }) => {
      const { id } = asTask(await caller.send(say('wait'), false));
      checkEqual((await caller.cancel(id)).state, 'canceled', 'the state');
      checkEqual((await caller.get(id)).state, 'canceled', 'the state afterwards');
    },
  },
];
