import { NotOffered } from '../calling.ts';
import { allOf, asTask, lastState, quiet, refused, type Scenario, say } from './scenario.ts';

const UNKNOWN = '0198a000-0000-7000-8000-000000000000';
const NOT_FOUND = ['TASK_NOT_FOUND'];

/** What must be refused, and how a program can tell why. */
export const ERRORS: readonly Scenario[] = [
  { name: 'unknown task: get', run: ({ caller }) => refused(caller.get(UNKNOWN), NOT_FOUND, [404]) },
  { name: 'unknown task: cancel', run: ({ caller }) => refused(caller.cancel(UNKNOWN), NOT_FOUND, [404]) },
  { name: 'unknown task: subscribe', run: ({ caller }) => refused(allOf(caller.subscribe(UNKNOWN)), NOT_FOUND, [404]) },
  {
    name: 'unknown task: send',
    run: ({ caller }) => refused(caller.send({ ...say('hello'), taskId: UNKNOWN }), NOT_FOUND, [404]),
  },
  {
    name: 'unknown task: stream',
    run: ({ caller }) => refused(allOf(caller.stream({ ...say('hello'), taskId: UNKNOWN })), NOT_FOUND, [404]),
  },
  {
    name: 'ended task: cancel',
    run: async ({ caller }) => {
      const { id } = asTask(await caller.send(say('hello')));
      await refused(caller.cancel(id), ['TASK_NOT_CANCELABLE'], [400, 409]);
    },
  },
  {
    name: 'ended task: send',
    run: async ({ caller, version }) => {
      const { id: taskId, contextId } = asTask(await caller.send(say('hello')));
      // 0.3 does not say how; its servers in use call it invalid.
      const codes =
        version === '1.0' ? ['UNSUPPORTED_OPERATION'] : ['UNSUPPORTED_OPERATION', 'INVALID_PARAMS', 'INVALID_REQUEST'];
      await refused(caller.send({ ...say('hello'), taskId, contextId }), codes, [400, 501]);
    },
  },
  {
    name: 'ended task: subscribe',
    run: async ({ caller, version }) => {
      const { id } = asTask(await caller.send(say('hello')));
      // 0.3 leaves open whether this is an error or brings the task.
      const isOpen = version === '0.3';
      const events = quiet(allOf(caller.subscribe(id)));
      if (isOpen && (await events.then(lastState, () => undefined)) === 'completed') return;
      await refused(events, ['UNSUPPORTED_OPERATION'], [400, 404, 501]);
    },
  },
  {
    name: 'message without parts',
    run: async ({ caller, role }) => {
      if (role === 'server') throw new NotOffered('Tried with their clients only.');
      await refused(caller.send({ parts: [] }), ['INVALID_PARAMS', 'INVALID_REQUEST'], [400]);
    },
  },
];
