import { A2AError } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { begins, brief, lost, readAll, scripted, turns, writes } from '../support/scripted.ts';
import { at } from '../support/scripted-steps.ts';

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
    const late = new A2AError('TIMEOUT', 'No response within 30000 ms');
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
