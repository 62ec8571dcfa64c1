import { A2AError } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { gate } from '../../support/script.ts';
import { artifactOf, begins, brief, lost, readAll, scripted, taskWith, turns, writes } from '../support/scripted.ts';
import { at, overAlready } from '../support/scripted-steps.ts';

const refused = () => Object.assign(lost(), { cause: { code: 'ECONNREFUSED' } });

describe('without the extension', () => {
  it('trusts no id [rule:resume.client-declared]', async () => {
    const run = scripted({
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: [[begins('working', artifactOf('one'))]],
      looks: [taskWith('completed', artifactOf('one', ' two'))],
    });
    const { events } = await readAll(run);
    expect(run.asked).toEqual(['send', 'subscribe t', 'get t']);
    expect(brief(events)).toEqual(['task submitted', '=one', 'working', '+ two', 'completed']);
  });

  it('yields what is missing of the snapshot, and nothing twice [rule:resume.client-plain-server]', async () => {
    const run = scripted({
      sends: [[begins(), writes('one', false), writes(' two'), lost()]],
      subscriptions: [[begins('working', artifactOf('one', ' two', ' three'))], overAlready()],
      looks: [
        taskWith('working', artifactOf('one', ' two', ' three')),
        taskWith('completed', artifactOf('one', ' two', ' three', ' four')),
      ],
    });
    expect(brief((await readAll(run)).events)).toEqual([
      'task submitted',
      '=one',
      '+ two',
      '+ three',
      'working',
      '+ four',
      'completed',
    ]);
  });

  it('gets the task that has ended meanwhile [rule:resume.client-plain-server] [rule:stream.client-early-close]', async () => {
    const run = scripted({
      sends: [[begins(), writes('one', false), lost()]],
      subscriptions: [overAlready()],
      looks: [taskWith('completed', artifactOf('one', ' two'))],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', '=one', '+ two', 'completed']);
  });

  it('replaces what was received if it is not the beginning of what is there', async () => {
    const run = scripted({
      sends: [[begins(), writes('draft', false), lost()]],
      subscriptions: [overAlready()],
      looks: [taskWith('completed', artifactOf('final'))],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', '=draft', '=final', 'completed']);
  });

  it('is not misled by live events that the snapshot has already [rule:resume.client-plain-server]', async () => {
    const whole = artifactOf('one', ' two', ' three');
    const run = scripted({
      sends: [[begins('working'), writes('one', false), lost()]],
      subscriptions: [
        [begins('working', artifactOf('one', ' two')), writes(' two'), writes(' three'), turns('completed')],
      ],
      looks: [taskWith('completed', whole)],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task working', '=one', '+ two', '+ three', 'completed']);
  });

  it('is not misled by live events that begin behind a gap [rule:resume.client-plain-server]', async () => {
    const run = scripted({
      sends: [[begins('working'), writes('one', false), lost()]],
      subscriptions: [
        [begins('working', artifactOf('one')), writes(' three'), writes(' four'), turns('completed')],
        overAlready(),
      ],
      looks: [
        taskWith('working', artifactOf('one', ' two', ' three')),
        taskWith('completed', artifactOf('one', ' two', ' three', ' four')),
      ],
    });
    const { events } = await readAll(run);
    expect(brief(events).join('')).toBe('task working=one+ two| three+ fourcompleted');
  });

  it('goes over to live events once they are proven to go on where the task was', async () => {
    const later = Promise.withResolvers<void>();
    const run = scripted({
      sends: [[begins('working'), writes('one', false), lost()]],
      subscriptions: [
        [
          begins('working', artifactOf('one')),
          writes(' two'),
          later.promise,
          writes(' three'),
          writes(' four'),
          turns('completed'),
        ],
      ],
      looks: [taskWith('working', artifactOf('one', ' two')), new A2AError('INTERNAL', 'Not to be asked again')],
    });
    const reading = readAll(run);
    await run.clock.advance(2_000);
    later.resolve();
    expect(brief((await reading).events)).toEqual(['task working', '=one', '+ two', '+ three', '+ four', 'completed']);
    expect(run.asked.filter((what) => what === 'get t')).toHaveLength(1);
  });

  it('gives a status once that a look showed before the stream brought it [rule:resume.client-plain-server]', async () => {
    for (const state of ['completed', 'working'] as const) {
      const looked = gate();
      const run = scripted({
        taskId: 't',
        subscriptions: [
          [
            begins('input-required'),
            writes('one', false),
            // What the look shows is on its way while the task is asked for.
            () => looked.promise,
            turns(state),
            ...(state === 'working' ? [writes(' two'), turns('completed')] : []),
          ],
        ],
        looks: [taskWith(state, artifactOf('one')), taskWith('completed', artifactOf('one', ' two'))],
        onLook: () => looked.resolve(),
      });
      const { events, error } = await readAll(run);
      expect(error).toBeUndefined();
      const rest = state === 'working' ? ['+ two', 'completed'] : [];
      expect(brief(events)).toEqual(['task input-required', '=one', state, ...rest]);
    }
  });

  it('asks for the task where a subscription of 0.3 does not begin with it', async () => {
    const run = scripted({
      beginsWithTask: false,
      sends: [[begins('working'), writes('one', false), lost()]],
      subscriptions: [[writes(' three'), turns('completed')]],
      looks: [
        taskWith('working', artifactOf('one', ' two')),
        taskWith('completed', artifactOf('one', ' two', ' three')),
      ],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task working', '=one', '+ two', '+ three', 'completed']);
  });

  it('asks now and then where tasks cannot be subscribed to', async () => {
    const run = scripted({
      sends: [[begins('working'), lost()]],
      subscriptions: [new A2AError('METHOD_NOT_FOUND', 'Method not found')],
      looks: [taskWith('working'), taskWith('working', artifactOf('one')), taskWith('completed', artifactOf('one'))],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task working', '=one', 'completed']);
    expect(run.asked).toEqual(['send', 'subscribe t', 'get t', 'get t', 'get t']);
  });

  it('does so too where there is no such route', async () => {
    const run = scripted({
      sends: [[begins('working'), lost()]],
      subscriptions: [new A2AError('NOT_FOUND', 'Not found', { httpStatus: 404 })],
      looks: [taskWith('completed', artifactOf('one'))],
    });
    expect(brief((await readAll(run)).events)).toEqual(['task working', '=one', 'completed']);
  });

  it('never sends a message again that may have arrived', async () => {
    const run = scripted({ sends: [[lost()], [begins(), turns('completed')]] });
    const { error } = await readAll(run);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED', message: expect.stringContaining('may have arrived') });
    expect(run.asked).toEqual(['send']);
  });

  it('nor where the stream ended properly, without an event', async () => {
    const run = scripted({ sends: [[], [begins(), turns('completed')]] });
    expect((await readAll(run)).error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
    expect(run.asked).toEqual(['send']);
  });

  it.each([
    ['cut', [lost()]],
    ['ended', []],
  ] as const)('a message to a task that is not there is told by a stream that is %s', async (_, steps) => {
    const message = { messageId: 'm', role: 'user', parts: [], taskId: 't' } as const;
    const missing = new A2AError('TASK_NOT_FOUND', 'Task not found');
    const run = scripted({ sends: [steps], message, looks: [missing] });
    expect((await readAll(run)).error).toBe(missing);
    const there = scripted({ sends: [steps], message, looks: [taskWith('working')] });
    expect((await readAll(there)).error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });

  it('sends again what was certainly not sent', async () => {
    const run = scripted({ sends: [refused(), [begins(), turns('completed')]] });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', 'completed']);
  });

  it('passes on an error that the server answers with', async () => {
    const run = scripted({ sends: [new A2AError('CONTENT_TYPE_NOT_SUPPORTED', 'No pictures', { httpStatus: 400 })] });
    expect((await readAll(run)).error).toMatchObject({ code: 'CONTENT_TYPE_NOT_SUPPORTED' });
  });

  it('puts a task before a stream that begins with an update [rule:v03.client-stream-start]', async () => {
    const run = scripted({ sends: [[turns('working'), writes('one', false), turns('completed')]] });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', 'working', '=one', 'completed']);
  });

  it('ends where 0.3 says so, whatever the state [rule:v03.client-final]', async () => {
    const run = scripted({ sends: [[begins('working'), { event: turns('working'), final: true }]] });
    expect(await readAll(run)).toMatchObject({ done: true, error: undefined });
    expect(run.asked).toEqual(['send']);
  });
});
