import { textOf } from '../seen.ts';
import {
  allOf,
  asTask,
  check,
  checkEqual,
  lastState,
  quiet,
  readUntil,
  releasing,
  type Scenario,
  say,
  taskIdOf,
  textOfStream,
  told,
} from './scenario.ts';

/** Streams beside which something happens, and questions. */
export const STREAMS: readonly Scenario[] = [
  {
    name: 'cancel while streaming',
    run: async ({ caller }) => {
      const flow = caller.stream(say('wait'));
      const begun = await readUntil(flow, (event) => 'state' in event && event.state === 'working');
      const canceled = await flow.cancel(taskIdOf(begun));
      checkEqual(canceled.state, 'canceled', 'the state');
      const rest = await allOf(flow);
      checkEqual(lastState(rest), 'canceled', 'the last state of the stream');
    },
  },
  {
    name: 'subscribe',
    run: async ({ caller, host, role }) => {
      const first = caller.stream(say('gate'));
      const begun = await readUntil(first, (event) => event.kind === 'artifact');
      const second = caller.subscribe(taskIdOf(begun));
      const head = await readUntil(second, () => true);
      const [rest, tail] = await releasing(host, Promise.all([allOf(first), allOf(second)]));
      const subscribed = [...head, ...tail];
      checkEqual(textOfStream([...begun, ...rest]), 'one two', 'the text of the stream');
      checkEqual(lastState(rest), 'completed', 'the last state of the stream');
      checkEqual(lastState(subscribed), 'completed', 'the last state of the subscription');
      // 0.3 need not begin with the task, and the kits do not look at it: only our client always has the whole.
      const text = textOfStream(subscribed);
      check(role === 'client' ? text.endsWith('two') : text === 'one two', `the subscription brought "${text}"`);
      const count = subscribed.filter((event) => 'state' in event && event.state === 'completed').length;
      check(count === 1, `completed was told ${count} times: ${told(subscribed)}`);
    },
  },
  {
    name: 'question and answer',
    run: async ({ caller }) => {
      const asked = asTask(await caller.send(say('ask')));
      checkEqual([asked.state, asked.said], ['input-required', 'Which?'], 'the question');
      const { id: taskId, contextId } = asked;
      const task = asTask(await caller.send({ ...say('blue'), taskId, contextId }));
      checkEqual([task.id, task.state], [taskId, 'completed'], 'the task');
      checkEqual(textOf(task.parts), 'You said blue', 'the text');
    },
  },
  {
    name: 'question and answer, streamed',
    run: async ({ caller }) => {
      const asked = await allOf(caller.stream(say('ask')));
      checkEqual(lastState(asked), 'input-required', 'the last state before the answer');
      const taskId = taskIdOf(asked);
      const { contextId } = await caller.get(taskId);
      const events = await allOf(caller.stream({ ...say('blue'), taskId, contextId }));
      checkEqual(lastState(events), 'completed', 'the last state');
      checkEqual(textOfStream(events), 'You said blue', 'the text');
    },
  },
  {
    name: 'subscribe to a waiting task',
    run: async ({ caller }) => {
      const { id: taskId, contextId } = asTask(await caller.send(say('ask')));
      const flow = caller.subscribe(taskId);
      const head = await readUntil(flow, () => true);
      const rest = quiet(allOf(flow));
      await caller.send({ ...say('blue'), taskId, contextId });
      const events = [...head, ...(await rest)];
      checkEqual(lastState(events), 'completed', 'the last state of the subscription');
      checkEqual(textOfStream(events), 'You said blue', 'the text of the subscription');
    },
  },
];
