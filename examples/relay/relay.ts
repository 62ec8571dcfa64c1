import { A2AClient, A2AServer, type A2AServerOptions, isTerminal, type Task, type TaskState } from 'parley-a2a';
import { relayAgent } from './agent.ts';
import { nameOfTask, openPair } from './pair-name.ts';
import { Pairs } from './pairs.ts';
import { left } from './texts.ts';
import { isViewed, View } from './view/view.ts';

/** Where participants' tasks are; `rejected` and `completed` are those of who was turned away or told of a new pair. */
const PARTICIPANT_STATES: readonly TaskState[] = ['submitted', 'working', 'input-required', 'canceled', 'failed'];

export interface Relay {
  /** Answers A2A requests and those for the pages. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Opens the store and goes on with every pair that is in it. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface RelayOptions extends Pick<A2AServerOptions, 'store' | 'url' | 'log'> {
  /**
   * Who may take part. Pairs belong to their first participant then, and nobody can watch them. Default: everybody, and callers are
   * not told apart.
   */
  readonly callers?:
    | {
        readonly auth: NonNullable<A2AServerOptions['auth']>;
        /** The credential of a caller with the scope `parley:operator`, as whom the relay reads its own pairs. */
        readonly operator: Readonly<Record<string, string>>;
      }
    | undefined;
}

export function createRelay({ callers, ...options }: RelayOptions = {}): Relay {
  const pairs = new Pairs({
    tasksOf: async ({ contextId, owner }) => {
      const listed: Task[] = [];
      for await (const task of own.listTasks({ contextId, historyLength: 0 })) listed.push(task);
      const participants = listed.filter(({ status }) => PARTICIPANT_STATES.includes(status.state));
      const tasks = await Promise.all(participants.map(({ id }) => own.getTask(id)));
      return tasks.filter((task) => nameOfTask(task).owner === owner);
    },
    endTask: async (taskId, because) => void (await server.cancelTask(taskId, left(because))),
  });
  const server = new A2AServer({
    ...options,
    agents: [relayAgent(pairs)],
    ...(callers && { auth: callers.auth }),
    // Whoever can reach the relay may see its pairs; the pages show them too.
    ...(!callers && { anonymous: 'shared' }),
    // People think for hours, and a relay may be restarted any number of times meanwhile.
    limits: { runTimeout: 0, inactivityTimeout: 0, resumes: Number.POSITIVE_INFINITY },
    drainTimeout: 0,
  });
  server.use({
    onEvent: (event, { taskId, contextId }) => {
      if (event.kind !== 'status' || !isTerminal(event.status.state)) return;
      if (!PARTICIPANT_STATES.includes(event.status.state)) return;
      // Not given back: the next event need not wait until the other task has ended.
      void endedIn(contextId, taskId, event.status.state);
    },
  });
  const nameOf = async (contextId: string, taskId: string) =>
    callers ? nameOfTask(await own.getTask(taskId)) : openPair(contextId);
  const endedIn = async (contextId: string, taskId: string, state: TaskState) => {
    try {
      await pairs.ended(await nameOf(contextId, taskId), taskId, state);
    } catch (error) {
      console.error(
        `relay: the end of task ${taskId} could not be told; it will be when the relay is started again`,
        error,
      );
    }
  };
  const own = new A2AClient('http://relay.internal', {
    ...(callers && { headers: callers.operator }),
    fetch: (input, init) => server.fetch(withEveryOwner(new Request(input, init), callers !== undefined)),
    prefer: { version: '1.0' },
    // A long talk with files is a large task.
    limits: { bodyBytes: Number.MAX_SAFE_INTEGER },
  });
  const view = new View(pairs, async () => {
    const latest = (state: TaskState) => own.listTasks({ state, pageSize: 100, historyLength: 0 });
    const pages = await Promise.all(PARTICIPANT_STATES.map(latest));
    const time = ({ status }: Task) => Date.parse(status.timestamp);
    return pages.flatMap(({ tasks }) => tasks).toSorted((one, other) => time(other) - time(one));
  });
  return {
    // The pages ask nobody who they are.
    fetch: (request) => (!callers && isViewed(request) ? view.answer(request) : server.fetch(request)),
    start: async () => {
      // Runs that were lost begin again by themselves. Where nobody's run waits, one side may have left unnoticed.
      for await (const { contextId, id } of own.listTasks({ state: 'input-required', historyLength: 0 })) {
        await pairs.check(await nameOf(contextId, id));
      }
    },
    close: async () => {
      view.close();
      await server.close();
    },
  };
}

/** Operators find the tasks of every owner below `/operator`. */
function withEveryOwner(request: Request, isNamed: boolean): Request {
  const url = new URL(request.url);
  if (!isNamed || url.pathname !== '/a2a') return request;
  url.pathname = '/a2a/operator';
  return new Request(url, request);
}
