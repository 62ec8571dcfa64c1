import { A2AError } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { artifactOf, begins, brief, lost, readAll, scripted, taskWith, turns, writes } from '../support/scripted.ts';
import { at, overAlready } from '../support/scripted-steps.ts';

describe('with the resume extension', () => {
  it('goes on behind the last event [rule:resume.client-reconnect] [rule:resume.client-declared]', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: [
        [at(4, writes(' two')), lost()],
        [at(5, writes(' three')), at(6, turns('completed'))],
      ],
    });
    const { events, error } = await readAll(run);
    expect(error).toBeUndefined();
    expect(brief(events)).toEqual(['task submitted', '=one', '+ two', '+ three', 'completed']);
    expect(run.asked).toEqual(['send', 'subscribe t after 3', 'subscribe t after 4']);
    expect(run.stream.collector.task?.artifacts).toEqual([artifactOf('one two three')]);
    expect(run.reconnects.map(({ attempt, resumes }) => [attempt, resumes])).toEqual([
      [1, true],
      [1, true],
    ]);
  });

  it('takes an early close for a lost connection [rule:stream.client-early-close]', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins('working'))]],
      subscriptions: [[at(3, turns('completed'))]],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task working', 'completed']);
  });

  it('yields nothing twice where a server repeats itself [rule:resume.client-reconnect]', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: [[at(3, writes('one', false)), at(4, writes(' two')), at(5, turns('completed'))]],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', '=one', '+ two', 'completed']);
  });

  it('leaves out a frame that was cut off before its position [rule:resume.client-reconnect]', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), { event: writes('one', false), isCut: true }, lost()]],
      subscriptions: [[at(3, writes('one', false)), at(4, turns('completed'))]],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', '=one', 'completed']);
  });

  it('gives frames without a position, and compares when the connection is lost behind one', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), writes('one', false), at(4, writes(' two')), writes(' three'), lost()]],
      subscriptions: [[at(5, begins('working', artifactOf('one two three'))), at(6, turns('completed'))]],
      looks: [taskWith('completed', artifactOf('one two three four'))],
    });
    const { events } = await readAll(run);
    expect(brief(events)).toEqual(['task submitted', '=one', '+ two', '+ three', 'working', '+ four', 'completed']);
    expect(run.asked).toEqual(['send', 'subscribe t', 'get t']);
  });

  it('takes parts of an event for what they are, and none of them twice', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), { id: '2.9', event: writes('nine', false) }, lost()]],
      subscriptions: [
        [
          { id: '2.9', event: writes('nine', false) },
          { id: '2.10', event: writes(' ten') },
          at(3, writes(' eleven')),
          at(4, turns('completed')),
        ],
      ],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', '=nine', '+ ten', '+ eleven', 'completed']);
    expect(run.asked).toEqual(['send', 'subscribe t after 2.9']);
  });

  it('looks at the task after an error in the stream, which would come again behind the same position', async () => {
    const failed = () => new A2AError('INTERNAL', 'Internal error');
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('half', false)), failed()]],
      subscriptions: [[begins('failed', artifactOf('half'))]],
    });
    const { events, error } = await readAll(run);
    expect(error).toBeUndefined();
    expect(brief(events)).toEqual(['task submitted', '=half', 'failed']);
    expect(run.asked).toEqual(['send', 'subscribe t']);
  });

  it('does not go on behind a position from before it looked at the task', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: [overAlready(), [begins('working', artifactOf('one two'))]],
      looks: [taskWith('working', artifactOf('one two')), lost(), taskWith('completed', artifactOf('one two three'))],
    });
    const { events } = await readAll(run);
    expect(brief(events)).toEqual(['task submitted', '=one', '+ two', 'working', '+ three', 'completed']);
    expect(run.asked.filter((call) => call.startsWith('subscribe'))).toEqual(['subscribe t after 3', 'subscribe t']);
  });

  it('compares where the server answers with the task: its position was gone [rule:resume.client-reconnect]', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: [[at(9, begins('working', artifactOf('one two'))), at(10, turns('completed'))]],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', '=one', '+ two', 'working', 'completed']);
  });

  it('repeats a send whose answer was lost, with the same key [rule:resume.client-reconnect]', async () => {
    const run = scripted({ resumes: true, sends: [[lost()], [at(2, begins()), at(3, turns('completed'))]] });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', 'completed']);
    expect(run.asked).toEqual(['send', 'send']);
  });

  it('gives up after so many attempts without anything new, and keeps what it has', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: [[at(4, writes(' two')), lost()]],
      reconnect: { attempts: 3 },
    });
    const { error, events } = await readAll(run);
    expect(brief(events)).toEqual(['task submitted', '=one', '+ two']);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', received: { artifacts: [artifactOf('one two')] } });
    expect(run.reconnects.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 3]);
    expect(run.reconnects.map(({ delay }) => delay)).toEqual([150, 150, 300, 600]);
  });

  it('gives up at once where there is no hope', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), lost()]],
      subscriptions: [new A2AError('TASK_NOT_FOUND', 'Task not found')],
    });
    expect((await readAll(run)).error).toMatchObject({ code: 'STREAM_INTERRUPTED', cause: { code: 'TASK_NOT_FOUND' } });
    expect(run.reconnects).toHaveLength(1);
  });

  it('gets the task where the server says in the stream that it is over', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: [[overAlready()]],
      looks: [taskWith('completed', artifactOf('one two'))],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', '=one', '+ two', 'completed']);
  });

  it('waits as long as the server asks it to', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), lost()]],
      subscriptions: [new A2AError('UNAVAILABLE', 'Later', { retryAfter: 30_000 }), [at(3, turns('completed'))]],
    });
    await readAll(run);
    expect(run.reconnects.map(({ delay }) => delay)).toEqual([150, 30_000]);
  });

  it('ends at a question, however the connection ends', async () => {
    for (const end of [[], [lost()]]) {
      const run = scripted({ resumes: true, sends: [[at(2, begins()), at(3, turns('input-required')), ...end]] });
      expect(await readAll(run)).toMatchObject({ done: true, error: undefined });
      expect(run.asked).toEqual(['send']);
    }
  });

  it('does not take an old question for the answer to its message', async () => {
    const message = { messageId: 'm', role: 'user', taskId: 't', parts: [{ kind: 'text', text: 'x' }] } as const;
    const run = scripted({
      resumes: true,
      message,
      sends: [[at(7, begins('input-required'))]],
      looks: [taskWith('working')],
      subscriptions: [[at(8, turns('working')), at(9, turns('completed'))]],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task input-required', 'working', 'completed']);
  });

  it('takes a question for the answer where the task stands there: the send was repeated and joined a turn that is over', async () => {
    const message = { messageId: 'm', role: 'user', taskId: 't', parts: [{ kind: 'text', text: 'x' }] } as const;
    for (const end of [[], [lost()]]) {
      const sends = [lost(), [at(7, begins('input-required')), ...end]];
      const run = scripted({ resumes: true, message, sends, looks: [taskWith('input-required')] });
      expect(await readAll(run)).toMatchObject({ done: true, error: undefined });
      expect(run.asked).toEqual(['send', 'send', 'get t']);
    }
  });

  it('stops when it is told to, also while it waits', async () => {
    const run = scripted({ resumes: true, sends: [[at(2, begins()), lost()]] });
    const reading = readAll(run);
    await run.clock.advance(10);
    run.abort.abort(new Error('enough'));
    expect((await reading).error).toMatchObject({ message: 'enough' });
  });
});
