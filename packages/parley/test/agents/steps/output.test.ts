import { type Agent, type AgentDefinition, json, type TaskContext, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { livesOn } from '../../support/nodes/lives.ts';
import { type RpcPeer, sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

const resumable = (run: AgentDefinition['run']): Agent => agentOf(run, { resumable: true });

async function begin(peer: RpcPeer): Promise<string> {
  return (await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }))).task.id;
}

/** Runs until `lost` is reached in the first life, then again to its end: the task and what it was before the kill. */
async function interrupted(run: (task: TaskContext, reach: () => Promise<void>) => Promise<unknown>) {
  const live = livesOn();
  const lost = gate();
  const first = live([
    resumable(
      (task) =>
        run(task, async () => {
          lost.resolve();
          await hang(task);
        }) as ReturnType<AgentDefinition['run']>,
    ),
  ]);
  const id = await begin(first.peer);
  await lost.promise;
  // All that it wrote is on disk, so that there is something to put back.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = await first.peer.call('GetTask', { id });
  first.kill();
  const { peer } = live([resumable((task) => run(task, async () => {}) as ReturnType<AgentDefinition['run']>)]);
  await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
  return { before, task: await peer.call('GetTask', { id }) };
}

const partsOf = ({ artifacts }: Wire, index = 0): Wire => artifacts[index].parts;

describe('the output of a run that is taken up [rule:resume.steps]', () => {
  it('keeps apart what was written apart', async () => {
    const { task } = await interrupted(async (run, reach) => {
      await run.write(text('one'));
      await run.step('first', () => 1);
      await run.write('two ');
      await reach();
      await run.write('three');
    });
    expect(partsOf(task)).toEqual([{ text: 'one' }, { text: 'two three' }]);
  });

  it('begins an artifact anew, with its name, that was begun behind the last record', async () => {
    const { before, task } = await interrupted(async (run, reach) => {
      await run.step('first', () => 1);
      const figures = run.artifact({ artifactId: 'figures', name: 'Figures', metadata: { unit: 'EUR' } });
      await figures.write(json({ sum: 1 }));
      await reach();
      await figures.write(json({ sum: 2 }));
    });
    expect(before.artifacts).toHaveLength(1);
    expect(task.artifacts).toEqual([
      {
        artifactId: 'figures',
        name: 'Figures',
        metadata: { unit: 'EUR' },
        parts: [{ data: { sum: 1 } }, { data: { sum: 2 } }],
      },
    ]);
  });

  it('puts an artifact back that had ended behind the last record', async () => {
    const { task } = await interrupted(async (run, reach) => {
      const short = run.artifact({ artifactId: 'short', name: 'Short' });
      await short.write('be');
      await run.step('first', () => 1);
      await short.end('fore');
      await run.step('unfinished', reach);
    });
    expect(task.artifacts).toEqual([{ artifactId: 'short', name: 'Short', parts: [{ text: 'before' }] }]);
  });

  it('leaves an artifact ended that had ended before it', async () => {
    const { task } = await interrupted(async (run, reach) => {
      const short = run.artifact({ artifactId: 'short' });
      await short.end('over');
      await run.step('first', () => 1);
      await short.write('more');
      await reach();
    });
    expect(partsOf(task)).toEqual([{ text: 'over' }, { text: 'more' }]);
  });

  it('does not say again what it had said', async () => {
    const { task } = await interrupted(async (run, reach) => {
      await run.status('Reading');
      await run.step('first', () => 1);
      await run.status('Counting', { metadata: { part: 1 } });
      await run.status('Counting', { metadata: { part: 2 } });
      await reach();
      await run.status('Writing');
    });
    const said = task.history.map(({ parts }: Wire) => parts[0].text);
    expect(said).toEqual(['go', 'Reading', 'Counting', 'Counting', 'Writing']);
  });

  it('has what branches wrote side by side once each, whatever was recorded first', async () => {
    const { task } = await interrupted(async (run, reach) => {
      const slow = gate();
      const left = run.step('left', () => slow.promise).then(() => run.write('left '));
      await run.step('right', () => 'right');
      await run.write('right ');
      slow.resolve();
      await left;
      await run.step('then', () => 1);
      await run.write('then ');
      await reach();
      await run.write('end');
    });
    expect(partsOf(task)).toEqual([{ text: 'right left then end' }]);
  });

  it('is what came first where the text is another one each time', async () => {
    let attempt = 0;
    const { task } = await interrupted(async (run, reach) => {
      attempt += 1;
      for (const word of attempt === 1 ? ['a ', 'first ', 'text '] : ['something ', 'that is ', 'rather ', 'longer ']) {
        await run.write(word);
      }
      await run.step('first', () => 1);
      await run.write('and ');
      await reach();
      await run.write('so on');
    });
    expect(partsOf(task)).toEqual([{ text: 'a first text and so on' }]);
  });
});
