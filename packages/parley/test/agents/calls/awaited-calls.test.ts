import {
  A2AServer,
  type Agent,
  type AgentDefinition,
  dataOf,
  defineAgent,
  fail,
  inputRequired,
  isA2AError,
  isTask,
  json,
  reply,
  textOf,
} from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CALLS_EXTENSION } from '../../../src/model/extensions/calls.ts';
import { eventually } from '../../support/eventually.ts';
import { textOfTask } from '../../support/frames.ts';
import { RpcPeer, sendParams } from '../../support/rpc.ts';
import { number, object, string } from '../../support/schemas/shapes.ts';
import { gate, hang } from '../../support/script.ts';

interface Line {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

function agent(name: string, run: AgentDefinition['run'], more: Partial<AgentDefinition> = {}): Agent {
  return defineAgent({ name, description: `The ${name}`, version: '1.0.0', ...more, run });
}

function start(...agents: readonly Agent[]): { readonly peer: RpcPeer; readonly logged: Line[] } {
  const logged: Line[] = [];
  const write = (message: string, details: Line['details']) => void logged.push({ message, details });
  const server = new A2AServer({ agents, log: { error: write, warn: write } });
  return { peer: new RpcPeer(server.fetch, 'http://calls.test/a2a'), logged };
}

/** Fails the test where a promise is rejected that nobody holds. */
function watchRejections(): unknown[] {
  const seen: unknown[] = [];
  const note = (reason: unknown) => void seen.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  return seen;
}

const nextTurns = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('a call that is awaited', () => {
  const stateOf = async (child: Agent): Promise<string> => {
    const parent = agent('parent', async (task) => {
      const outcome = await task.call(child, 'go');
      return isTask(outcome) ? outcome.status.state : `said ${textOf(outcome)}`;
    });
    return textOfTask(await start(parent, child).peer.send('go'));
  };

  it('is the finished task', async () => {
    const child = agent('child', async function* (task) {
      yield `heard ${task.text}`;
    });
    const parent = agent('parent', async (task) => textOf(await task.call(child, 'this')));
    expect(textOfTask(await start(parent, child).peer.send('go'))).toBe('heard this');
  });

  it('is the task in whatever state its turn has ended, and throws for none', async () => {
    expect(await stateOf(agent('child', () => 'done'))).toBe('completed');
    expect(await stateOf(agent('child', () => fail('broken')))).toBe('failed');
    expect(await stateOf(agent('child', () => inputRequired('Which one?')))).toBe('input-required');
  });

  it('is the message of an agent that only replies', async () => {
    expect(await stateOf(agent('child', () => reply('hello')))).toBe('said hello');
  });

  it('throws where the call itself is refused', async () => {
    const agents: Agent[] = [];
    const parent = agent('parent', async (task) => {
      const [first] = await Promise.allSettled([task.call(agents[0] as Agent, 'go')]);
      return first.status === 'rejected' ? (first.reason as Error).message : 'went through';
    });
    agents.push(parent);
    const { peer, logged } = start(parent);
    expect(textOfTask(await peer.send('go'))).toMatch(/circle/);
    expect(logged).toEqual([]);
  });

  it('can be read as a stream and awaited as well, also long after it was made', async () => {
    const child = agent('child', async function* () {
      yield 'one ';
      yield 'two';
    });
    const parent = agent('parent', async (task) => {
      const call = task.call(child, 'go');
      await nextTurns();
      let read = '';
      for await (const piece of call.textStream) read += piece;
      const outcome = await call;
      return `${read} = ${textOf(outcome)}, ${isTask(outcome) && outcome.id === (await call.id)}`;
    });
    expect(textOfTask(await start(parent, child).peer.send('go'))).toBe('one two = one two, true');
  });
});

describe('a call that nobody watches', () => {
  it('is sent all the same, listed by its caller, and goes on when its caller has ended', async () => {
    const finish = gate();
    let isFinished = false;
    const child = agent('child', async () => {
      await finish.promise;
      isFinished = true;
    });
    const parent = agent('parent', (task) => {
      void task.call(child, 'go');
      return 'done';
    });
    const { peer, logged } = start(parent, child);
    const task = await peer.send('go');
    expect(textOfTask(task)).toBe('done');
    const [{ taskId }] = task.metadata[CALLS_EXTENSION].children;
    finish.resolve();
    const stateOfChild = async () => (await peer.at('/a2a/agents/child').call('GetTask', { id: taskId })).status.state;
    await eventually(stateOfChild).toBe('TASK_STATE_COMPLETED');
    expect(isFinished).toBe(true);
    expect(logged).toEqual([]);
  });

  it('is logged where it cannot even be begun, and throws at its caller who awaits it', async () => {
    const parent = agent('parent', async (task) => {
      void task.call('no address', 'go');
      const failure = await task.call('no address', 'go').then(String, (error: Error) => error.message);
      return `heard: ${failure}`;
    });
    const { peer, logged } = start(parent);
    expect(textOfTask(await peer.send('go'))).toMatch(/^heard: .*no address/);
    expect(logged.map(({ message }) => message)).toEqual(['A call of another agent failed, and nobody waited for it']);
  });

  it('is logged where it fails, and is no unhandled rejection', async () => {
    const rejections = watchRejections();
    const agents: Agent[] = [];
    const parent = agent('parent', (task) => {
      void task.call(agents[0] as Agent, 'go');
      return 'done';
    });
    agents.push(parent);
    const { peer, logged } = start(parent);
    expect(textOfTask(await peer.send('go'))).toBe('done');
    expect(logged).toMatchObject([
      { message: 'A call of another agent failed, and nobody waited for it', details: { taskId: expect.any(String) } },
    ]);
    await nextTurns();
    expect(rejections).toEqual([]);
  });

  it('is not logged where its failure is looked at later', async () => {
    const agents: Agent[] = [];
    const parent = agent('parent', async (task) => {
      const call = task.call(agents[0] as Agent, 'go');
      await nextTurns();
      return call.then(
        () => 'went through',
        () => 'refused',
      );
    });
    agents.push(parent);
    const { peer, logged } = start(parent);
    expect(textOfTask(await peer.send('go'))).toBe('refused');
    expect(logged).toEqual([]);
  });

  it('is canceled with its caller', async () => {
    let isCanceled = false;
    const running = gate();
    const child = agent('child', async (task) => {
      task.onCancel(() => {
        isCanceled = true;
      });
      running.resolve();
      await hang(task);
    });
    const parent = agent('parent', async (task) => {
      void task.call(child, 'go');
      await running.promise;
      await hang(task);
    });
    const { peer } = start(parent, child);
    const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    await running.promise;
    await peer.call('CancelTask', { id: task.id });
    await eventually(() => isCanceled).toBe(true);
  });
});

describe('a call of a skill', () => {
  const input = object({ quarter: string });
  const output = object({ revenue: number });
  const analyst = defineAgent({
    name: 'analyst',
    description: 'Knows figures',
    version: '1.0.0',
    skills: [{ id: 'report', name: 'Report', description: 'Reports', tags: ['test'], input, output }],
    async *run(task) {
      await task.artifact({ name: 'draft' }).end(json({ draft: true }));
      yield json({ revenue: task.input.quarter === 'Q4' ? 4 : 0 });
      await task.artifact({ name: 'notes' }).end(json({ notes: true }));
    },
  });

  it('sends its input as data and reads the data of its result', async () => {
    const parent = agent('parent', async (task) => {
      const outcome = await task.call(analyst, { skill: 'report', input: { quarter: 'Q4' } });
      return `${dataOf(outcome)?.revenue}`;
    });
    expect(textOfTask(await start(parent, analyst).peer.send('go'))).toBe('4');
  });

  it('is refused by the agent where the input does not fit', async () => {
    const parent = agent('parent', async (task) => {
      try {
        await task.call(analyst, { skill: 'report', input: { quarter: 4 as never } });
        return 'went through';
      } catch (error) {
        return isA2AError(error) ? `${error.code} ${error.violations[0]?.field}` : 'another error';
      }
    });
    expect(textOfTask(await start(parent, analyst).peer.send('go'))).toMatch(/^INVALID_PARAMS .*quarter/);
  });
});
