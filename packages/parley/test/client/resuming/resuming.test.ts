import { A2AError, type StreamEvent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { gate } from '../../support/script.ts';
import {
  artifactOf,
  begins,
  brief,
  lost,
  readAll,
  type Step,
  scripted,
  taskWith,
  turns,
  writes,
} from '../support/scripted.ts';

const at = (id: number, event: StreamEvent): Step => ({
  id: String(id),
  event,
});

const refused = () => Object.assign(lost(), { cause: { code: 'ECONNREFUSED' } });
const overAlready = () => new A2AError('UNSUPPORTED_OPERATION', 'The task is over');

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

describe('patience', () => {
  it('is not used up by a quiet server behind a proxy that closes what is quiet', async () => {
    const quiet = () => new Promise<void>((resolve) => void run.clock.after(60_000, resolve));
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins('working')), lost()]],
      reconnect: { attempts: 2 },
      subscriptions: [[quiet], [quiet], [quiet], [quiet], [quiet], [at(3, turns('completed'))]],
    });
    const { error, events } = await readAll(run);
    expect(error).toBeUndefined();
    expect(brief(events)).toEqual(['task working', 'completed']);
  });

  it('ends with servers that never begin to answer', async () => {
    const late = new A2AError('TIMEOUT', 'No answer within 30000 ms');
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins('working')), lost()]],
      reconnect: { attempts: 2 },
      subscriptions: [late, late, late, late],
    });
    expect((await readAll(run)).error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });

  it('has its limits, whatever a server asks for', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), lost()]],
      subscriptions: [new A2AError('UNAVAILABLE', 'Later', { retryAfter: 1e9 }), [at(3, turns('completed'))]],
    });
    await readAll(run);
    expect(run.reconnects.at(-1)?.delay).toBe(60_000);
  });

  it('is not tried by updates of another task', async () => {
    const other = { ...writes('theirs', false), taskId: 'other' };
    const run = scripted({ sends: [[begins(), other, turns('completed')]] });
    expect(brief((await readAll(run)).events)).toEqual(['task submitted', 'completed']);
  });
});
