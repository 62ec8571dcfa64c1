import { type Agent, defineAgent, type TaskContext, textOf } from 'parley-a2a';
import { type TestAgent, testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import '../../support/a2a-matchers.ts';
import { eventually } from '../../support/eventually.ts';
import { gate, hang } from '../../support/script.ts';

/** An agent on a server that can crash. */
function kitOf(agent: Agent): TestAgent {
  const kit = testAgent(agent);
  onTestFinished(() => kit.close());
  return kit;
}

function resumable(run: (task: TaskContext) => AsyncGenerator<string> | Promise<unknown>): Agent {
  return defineAgent({
    name: 'steps',
    description: 'Does steps',
    version: '1.0.0',
    resumable: true,
    run: run as Agent['run'],
  });
}

async function started({ client }: TestAgent): Promise<string> {
  const task = await client.sendMessage('go', { returnImmediately: true });
  return 'status' in task ? task.id : expect.unreachable();
}

const inState = ({ client }: TestAgent, id: string, state: string) =>
  eventually(async () => (await client.getTask(id)).status.state).toBe(state);

describe('a resumable agent [rule:resume.steps]', () => {
  it('does not do finished steps again, and its text shows one unbroken run', async () => {
    const done: string[] = [];
    const step = (task: TaskContext, name: string) =>
      task.step(name, () => {
        done.push(name);
        return `${name}!`;
      });
    const reached = gate();
    const agent = (isLost: boolean) =>
      resumable(async function* (task) {
        yield 'begin ';
        yield `${await step(task, 'one')} `;
        yield 'middle ';
        yield `${await step(task, 'two')} `;
        yield 'tail ';
        if (isLost) {
          reached.resolve();
          await hang(task);
        }
        yield await step(task, 'three');
      });
    const kit = kitOf(agent(true));
    const id = await started(kit);
    await reached.promise;
    await eventually(async () => textOf(await kit.client.getTask(id))).toBe('begin one! middle two! tail ');
    await kit.restart(agent(false));
    await inState(kit, id, 'completed');
    const task = await kit.client.getTask(id);
    expect(task).toHaveText('begin one! middle two! tail three!');
    expect(task.artifacts).toHaveLength(1);
    expect(task.artifacts[0]?.parts).toHaveLength(1);
    expect(done).toEqual(['one', 'two', 'three']);
  });

  it('gets the answer to a question that was asked before the crash', async () => {
    let asked = 0;
    const kit = kitOf(
      resumable(async function* (task) {
        yield 'Hello. ';
        asked += 1;
        const name = await task.ask('Who are you?');
        yield `You are ${name}.`;
      }),
    );
    const id = await started(kit);
    await inState(kit, id, 'input-required');
    await kit.restart();
    await kit.client.sendMessage('Ann', { taskId: id });
    await inState(kit, id, 'completed');
    const task = await kit.client.getTask(id);
    expect(task).toHaveText('Hello. You are Ann.');
    expect(task.history.map(textOf)).toEqual(['go', 'Who are you?', 'Ann']);
    expect(asked).toBe(2);
  });

  it('fails where its code no longer does what was recorded', async () => {
    const reached = gate();
    const kit = kitOf(
      resumable(async (task) => {
        await task.step('old name', () => 1);
        reached.resolve();
        await hang(task);
      }),
    );
    const id = await started(kit);
    await reached.promise;
    await kit.restart(resumable(async (task) => String(await task.step('new name', () => 2))));
    await inState(kit, id, 'failed');
    expect(await kit.client.getTask(id)).toFailWith('journal-mismatch');
  });

  it('gives up on a run that is lost again and again without getting anywhere', async () => {
    const kit = kitOf(resumable((task) => hang(task)));
    const id = await started(kit);
    for (let restart = 0; restart < 5; restart += 1) {
      await kit.restart();
      expect(await kit.client.getTask(id)).toBeInState('working');
    }
    await kit.restart();
    expect(await kit.client.getTask(id)).toFailWith('server-restarted');
  });
});

describe('a step', () => {
  it('is tried again as often as it may be, and then its error is the run’s', async () => {
    let attempts = 0;
    const agent = defineAgent({
      name: 'retries',
      description: 'Tries',
      version: '1.0.0',
      async run(task) {
        const options = { retry: { attempts: 3, firstDelay: 1 } };
        const third = await task.step(
          'third time',
          () => {
            attempts += 1;
            if (attempts < 3) throw new Error('not yet');
            return attempts;
          },
          options,
        );
        return `${third}`;
      },
    });
    expect(await kitOf(agent).client.run('go')).toBe('3');
  });

  it('can fail with what has no text: a run that goes on after it is told so once', async () => {
    let attempts = 0;
    const kit = kitOf(
      resumable(async (task) => {
        const failure = await task
          .step('odd', () => {
            attempts += 1;
            throw Object.create(null);
          })
          .catch((error: unknown) => (error instanceof TypeError ? 'a TypeError' : 'what was thrown'));
        return `${failure} after ${attempts}`;
      }),
    );
    expect(await kit.client.run('go')).toBe('what was thrown after 1');
  });

  it('must have a result that JSON can carry', async () => {
    const agent = resumable(async (task) => String(await task.step('odd', () => 1n as never)));
    await expect(kitOf(agent).client.sendMessage('go')).toFailWith('invalid-agent-response');
  });
});
