import { A2AError } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import {
  artifactOf,
  begins,
  brief,
  lost,
  readAll,
  type Script,
  type Step,
  scripted,
  taskWith,
  turns,
  writes,
} from '../support/scripted.ts';

const notFound = () => new A2AError('TASK_NOT_FOUND', 'task not found: no active execution');
const invalid = () => new A2AError('INVALID_PARAMS', 'Task t is in terminal state: completed');

/** Servers in use stream only tasks that are at work, and call the others not found or invalid. */
describe('a task that the server has and does not stream', () => {
  const waiting = taskWith('input-required');
  const looks = [waiting, waiting, waiting, waiting, taskWith('working'), taskWith('completed', artifactOf('done'))];
  const refusals: readonly (readonly [string, Script['subscriptions']])[] = [
    ['at once', [notFound()]],
    ['in the stream', [[notFound()]]],
  ];

  it.each(refusals)('is asked for while it waits: refused %s', async (_, subscriptions) => {
    const run = scripted({ taskId: 't', beginsWithTask: false, subscriptions, looks });
    const { events, error } = await readAll(run);
    expect(error).toBeUndefined();
    expect(brief(events)).toEqual(['task input-required', 'working', '=done', 'completed']);
    expect(run.asked.filter((what) => what.startsWith('subscribe'))).toHaveLength(1);
  });

  it.each([notFound(), invalid()])('is brought to its end where the stream was lost: $message', async (refusal) => {
    const run = scripted({
      sends: [[begins('working'), lost()]],
      subscriptions: [refusal],
      looks: [taskWith('completed', artifactOf('done'))],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task working', '=done', 'completed']);
  });

  it.each([notFound(), invalid()])('is over: $message', async (refusal) => {
    const ended = taskWith('completed', artifactOf('done'));
    const run = scripted({ taskId: 't', subscriptions: [refusal], looks: [ended] });
    const { events, error } = await readAll(run);
    expect(events).toEqual([]);
    expect(error).toMatchObject({ code: 'UNSUPPORTED_OPERATION', task: ended });
  });

  it('is not there at all', async () => {
    const run = scripted({ taskId: 't', subscriptions: [notFound()], looks: [notFound()] });
    expect((await readAll(run)).error).toMatchObject({ code: 'TASK_NOT_FOUND', message: notFound().message });
    const lostOne = scripted({
      sends: [[begins('working'), lost()]],
      subscriptions: [notFound()],
      looks: [notFound()],
    });
    const { error } = await readAll(lostOne);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', cause: { code: 'TASK_NOT_FOUND' } });
  });

  it('is shown as it is while the server does not begin to answer', async () => {
    const opening = Promise.withResolvers<readonly Step[]>();
    const run = scripted({
      taskId: 't',
      beginsWithTask: false,
      subscriptions: [opening.promise],
      looks: [taskWith('working', artifactOf('one')), taskWith('completed', artifactOf('one', ' two'))],
    });
    const reading = readAll(run);
    await run.clock.advance(2_000);
    expect(run.stream.collector.task).toMatchObject({ artifacts: [artifactOf('one')] });
    opening.resolve([writes(' two'), turns('completed')]);
    expect(brief((await reading).events)).toEqual(['task working', '+ two', 'completed']);
  });

  it('is asked for where the server never begins to', async () => {
    const opening = Promise.withResolvers<Error>();
    const run = scripted({
      taskId: 't',
      subscriptions: [opening.promise],
      looks: [taskWith('working'), taskWith('working'), taskWith('completed', artifactOf('done'))],
    });
    const reading = readAll(run);
    await run.clock.advance(2_000);
    opening.resolve(new A2AError('TIMEOUT', 'No response within 30000 ms'));
    expect(brief((await reading).events)).toEqual(['task working', '=done', 'completed']);
    expect(run.asked.filter((what) => what.startsWith('subscribe'))).toHaveLength(1);
  });

  it('ends with the question where a send was lost: only subscriptions go on after one', async () => {
    const run = scripted({
      sends: [[begins('submitted'), turns('working'), lost()]],
      subscriptions: [notFound()],
      looks: [waiting],
    });
    const { events, done } = await readAll(run);
    expect([brief(events), done]).toEqual([['task submitted', 'working', 'input-required'], true]);
  });
});
