import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../parley/src/server/operator/console-api.ts';
import { TaskLog } from '../../src/tasks/log/task-log.ts';

const WHOLE = { messages: 1000, artifacts: 1000, blocks: 1000, characters: 1_000_000 };

function entry(seq: number, kind: LogEntry['kind'], event: Readonly<Record<string, unknown>>): LogEntry {
  return { seq, time: new Date(seq * 1000).toISOString(), kind, bytes: 1, event };
}

function chunk(seq: number, artifactId: string, parts: readonly unknown[], append = true): LogEntry {
  return entry(seq, 'artifact', { artifactUpdate: { artifact: { artifactId, parts }, append } });
}

/** The texts of the artifacts, by folding the log from the front. */
function foldTexts(log: readonly LogEntry[], upTo: number): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { seq, event } of log) {
    const update = event?.artifactUpdate as {
      artifact: { artifactId: string; parts: { text: string }[] };
      append: boolean;
    };
    if (seq > upTo) break;
    const { artifactId, parts } = update.artifact;
    const before = update.append ? (texts.get(artifactId) ?? '') : '';
    texts.set(artifactId, before + parts.map(({ text }) => text).join(''));
  }
  return texts;
}

function textsOf(log: TaskLog, seq: number): Map<string, string> {
  return new Map(
    log
      .at(seq, WHOLE)
      .artifacts.map(({ id, blocks }) => [
        id,
        blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(''),
      ]),
  );
}

describe('the log of a task', () => {
  it('shows the texts of any event as folding the log does', () => {
    const chunks = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      parts: fc.array(fc.record({ text: fc.string() }), { maxLength: 3 }),
      append: fc.boolean(),
      gap: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(chunks, { maxLength: 60 }), (made) => {
        let seq = 0;
        const entries = made.map(({ id, parts, append, gap }) => {
          seq += gap;
          return chunk(seq, id, parts, append);
        });
        const log = new TaskLog();
        log.append(entries);
        for (let at = 0; at <= seq + 1; at += 1) expect(textsOf(log, at)).toEqual(foldTexts(entries, at));
      }),
    );
  });

  it('has nothing but the file where a chunk after it only says that it is the last', () => {
    const log = new TaskLog();
    log.append([chunk(1, 'a', [{ raw: 'AAAA', filename: 'film.webm' }], false), chunk(2, 'a', [{ text: '' }])]);
    expect(log.at(2, WHOLE).artifacts[0]?.blocks).toHaveLength(1);
  });

  it('has the status, the messages and the artifacts of an event, and not those after it', () => {
    const log = new TaskLog();
    log.append([
      entry(1, 'created', {
        task: {
          status: { state: 'TASK_STATE_SUBMITTED' },
          history: [{ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] }],
        },
      }),
      entry(2, 'status', { statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } }),
      chunk(3, 'file', [{ raw: 'AAAA', filename: 'a.bin' }], false),
      entry(5, 'status', {
        statusUpdate: {
          status: {
            state: 'TASK_STATE_COMPLETED',
            message: { messageId: 'n', role: 'ROLE_AGENT', parts: [{ text: 'Done' }] },
          },
        },
      }),
    ]);
    expect(log.at(0)).toMatchObject({ status: undefined, messages: [], artifacts: [] });
    expect(log.at(4)).toMatchObject({
      status: { state: 'working', seq: 2 },
      messages: [{ seq: 1 }],
      artifacts: [{ id: 'file', chunks: 1 }],
    });
    expect(log.at(5)).toMatchObject({ status: { state: 'completed' }, messages: [{ seq: 1 }, { seq: 5 }] });
    expect(log.state).toBe('completed');
    expect(log.firstMessage).toMatchObject({ messageId: 'm' });
    expect([0, 3, 4, 9].map((seq) => log.indexOf(seq))).toEqual([0, 2, 2, 3]);
  });

  it('takes a page twice without doubling it', () => {
    const log = new TaskLog();
    const page = [chunk(1, 'a', [{ text: 'x' }], false), chunk(2, 'a', [{ text: 'y' }])];
    log.append(page);
    log.append(page);
    expect(log.entries).toHaveLength(2);
    expect(textsOf(log, 2).get('a')).toBe('xy');
  });

  it('shows no more of a large artifact than a look has room for', () => {
    const log = new TaskLog();
    log.append(
      Array.from({ length: 300 }, (_, index) => chunk(index + 1, 'a', [{ text: '0123456789' }, { data: index }])),
    );
    const [artifact] = log.at(300, { ...WHOLE, blocks: 5, characters: 4 }).artifacts;
    expect(artifact).toMatchObject({ hiddenBlocks: 595, chunks: 300 });
    expect(artifact?.blocks.map((block) => (block.kind === 'text' ? block.text : block.part.data))).toEqual([
      297,
      '6789',
      298,
      '6789',
      299,
    ]);
  });

  it('finds any of 50,000 events without folding what comes before it', () => {
    const events = 50_000;
    const log = new TaskLog();
    log.append(Array.from({ length: events }, (_, index) => chunk(index + 1, 'a', [{ text: 'word ' }])));
    log.at(events);
    const before = process.cpuUsage();
    for (let step = 0; step < 5_000; step += 1) log.at((step * 7919) % events);
    const { user, system } = process.cpuUsage(before);
    // Folding would take 125 million steps; a look takes about sixteen.
    expect((user + system) / 1000).toBeLessThan(2_000);
  });
});
