import { type StreamEvent, textOf } from 'parley-a2a';
import { RESUME_EXTENSION } from 'parley-a2a/extensions';
import { faulty } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { matrix } from '../../interop/support/rows.ts';
import { startServer } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';
import { clientOf } from '../support/recorded.ts';
import { artifactOf, begins, lost, readAll, scripted, taskWith, turns, writes } from '../support/scripted.ts';

const WORDS = Array.from({ length: 12 }, (_, index) => `word-${index} `);
const RECONNECT = { firstDelay: 1, longestDelay: 2, attempts: 5 };

/** What goes wrong with the position that the client sends. */
const GAPS: Readonly<Record<string, (position: string) => string>> = {
  'too old': (position) => position,
  ahead: () => '4711',
  malformed: (position) => `${position}/x`,
};

/** Drops what was logged so far whenever a connection is lost. */
function forgetful() {
  let dropped = 0;
  const store = storeWith((inner) => ({
    read: async (taskId, after, limit) => inner.read(taskId, Math.max(after, dropped), limit),
  }));
  const forget = (seq: number) => {
    dropped = seq;
  };
  return { store, forget };
}

matrix(({ version, binding }) => {
  describe.each(Object.keys(GAPS))('a resumed stream whose position is %s', (kind) => {
    it('loses nothing, doubles nothing and ends [rule:resume.client-reconnect]', async () => {
      const { store, forget } = forgetful();
      const { server } = startServer(
        agentOf(async function* (task) {
          for (const word of WORDS) {
            yield word;
            await task.status(`after ${word}`);
          }
        }),
        { store, limits: { recentBytes: 1 } },
      );
      const mangled: typeof fetch = async (input, init) => {
        const request = new Request(input, init);
        const position = request.headers.get('last-event-id');
        if (position !== null) {
          if (kind === 'too old') forget(Number(position) + 1);
          request.headers.set('last-event-id', GAPS[kind]?.(position) ?? position);
        }
        return server.fetch(request);
      };
      const reconnects: unknown[] = [];
      const { agent } = await clientOf(server, {
        prefer: { version, binding },
        fetch: faulty(mangled, { dropAt: [4, 2] }),
        reconnect: RECONNECT,
        onReconnect: (info) => reconnects.push(info),
      });
      const stream = agent.sendMessageStream('go');
      let text = '';
      for await (const piece of stream.textStream) text += piece;
      const task = await stream.task;
      expect(text).toBe(WORDS.join(''));
      expect(textOf(task)).toBe(WORDS.join(''));
      expect(task.status.state).toBe('completed');
      expect(task.metadata ?? {}).not.toHaveProperty([RESUME_EXTENSION]);
      expect(reconnects.length).toBeGreaterThan(0);
      expect(reconnects.length).toBeLessThan(5);
    });
  });

  it('a position that the user gives and that is none: the first event says so, the task does not', async () => {
    const go = gate();
    const { server } = startServer(
      agentOf(async function* () {
        yield 'one ';
        await go.promise;
        yield 'two';
      }),
    );
    const { agent } = await clientOf(server, { prefer: { version, binding } });
    const begun = agent.sendMessageStream('go');
    const id = await begun.id;
    const stream = agent.subscribe(id, { lastEventId: 4711 });
    const events: StreamEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      go.resolve();
    }
    const [first] = events;
    const metadata = first?.kind === 'task' ? first.task.metadata : undefined;
    expect(metadata?.[RESUME_EXTENSION]).toEqual({ gap: 'ahead', asked: '4711' });
    expect(await stream.task).toEqual(await agent.getTask(id));
  });
});

describe('a server that answers every position with a gap', () => {
  const noted = (event: StreamEvent): StreamEvent => {
    if (event.kind !== 'task') return event;
    const note = { gap: 'malformed', asked: '3' };
    return { ...event, task: { ...event.task, metadata: { [RESUME_EXTENSION]: note } } };
  };
  const at = (id: number, event: StreamEvent) => ({ id: String(id), event });

  it('does not keep the client busy for ever', async () => {
    const again = [at(3, noted(begins('working', artifactOf('one')))), lost()];
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(3, writes('one', false)), lost()]],
      subscriptions: Array.from({ length: 100 }, () => again),
      reconnect: { attempts: 4 },
    });
    const { error } = await readAll(run);
    expect(error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
    expect(run.asked.length).toBeLessThan(12);
  });

  it('is believed where the task has less than was received', async () => {
    const run = scripted({
      resumes: true,
      sends: [[at(2, begins()), at(8, writes('one two three', false)), lost()]],
      subscriptions: [
        [at(4, noted(begins('working', artifactOf('one ')))), at(5, writes('new')), at(6, turns('completed'))],
      ],
    });
    const { events } = await readAll(run);
    expect(run.stream.collector.received).toEqual(taskWith('completed', artifactOf('one new')));
    expect(events.filter(({ kind }) => kind === 'task')).toHaveLength(1);
  });
});
