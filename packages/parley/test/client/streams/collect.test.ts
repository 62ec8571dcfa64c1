import fc from 'fast-check';
import { collect, type Part, type StreamEvent, type Task, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { TaskCollector } from '../../../src/client/stream/collect.ts';
import { hasSameArtifacts, missingEvents } from '../../../src/client/stream/snapshot-diff.ts';
import { artifactOf, begins, brief, IDS, taskWith, turns, writes } from '../support/scripted.ts';

async function* streamOf(...events: readonly StreamEvent[]) {
  yield* events;
}

async function lastOf(stream: AsyncIterable<Task>): Promise<Task | undefined> {
  let last: Task | undefined;
  for await (const task of stream) last = task;
  return last;
}

function folded(events: readonly StreamEvent[], joinText = false): TaskCollector {
  const collector = new TaskCollector({ joinText });
  for (const event of events) collector.apply(event);
  return collector;
}

describe('collect', () => {
  it('yields the growing task', async () => {
    const texts: string[] = [];
    for await (const task of collect(streamOf(begins(), writes('Hel', false), writes('lo'), turns('completed')))) {
      texts.push(`${task.status.state} ${textOf(task)}`);
    }
    expect(texts).toEqual(['submitted ', 'submitted Hel', 'submitted Hello', 'completed Hello']);
  });

  it('extends with append, replaces without, and begins what is not there', async () => {
    const other = { ...writes('other'), artifact: { ...artifactOf('other'), artifactId: 'b' } };
    const task = await lastOf(
      collect(streamOf(begins(), writes('draft', false), other, writes('one', false), writes('two'))),
    );
    expect(task?.artifacts).toEqual([artifactOf('one', 'two'), { ...artifactOf('other'), artifactId: 'b' }]);
  });

  it('joins streamed text where that is asked for', async () => {
    const task = await lastOf(collect(streamOf(begins(), writes('Hel', false), writes('lo')), { joinText: true }));
    expect(task?.artifacts).toEqual([artifactOf('Hello')]);
  });

  it('moves what was said to the history when the next status comes', () => {
    const message = { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'wait' }] } as const;
    const says: StreamEvent = { kind: 'status', ...IDS, status: { ...turns('working').status, message } };
    const { task } = folded([begins(), says, turns('working'), turns('completed')]);
    expect(task?.history).toEqual([message]);
    expect(task?.status.message).toBeUndefined();
  });

  it('adds the metadata of updates to that of the task', () => {
    const begun = { ...taskWith('working'), metadata: { a: 1, b: 1 } };
    const { task } = folded([
      { kind: 'task', task: begun },
      { ...turns('working'), metadata: { b: 2, c: { d: 1 } } },
      { ...writes('one', false), metadata: { c: { e: 2 } } },
      turns('completed'),
    ]);
    expect(task?.metadata).toEqual({ a: 1, b: 2, c: { e: 2 } });
  });

  it('leaves a terminal state for nothing', () => {
    expect(folded([begins(), turns('completed'), turns('working')]).state).toBe('completed');
  });

  it('never changes a task that it gave out', () => {
    const collector = folded([begins(), writes('one', false)]);
    const before = collector.task;
    collector.apply(writes('two'));
    expect(before?.artifacts).toEqual([artifactOf('one')]);
  });

  it('yields nothing for a bare message', async () => {
    const message = { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'Hi' }] } as const;
    expect(await lastOf(collect(streamOf({ kind: 'message', message })))).toBeUndefined();
  });
});

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'ab', '', '🙂').map((text): Part => ({ kind: 'text', text })) },
  { weight: 1, arbitrary: fc.constantFrom('x', 'y').map((url): Part => ({ kind: 'link', url })) },
  { weight: 1, arbitrary: fc.constant<Part>({ kind: 'text', text: 'a', mediaType: 'text/html' }) },
);
const artifacts = fc.tuple(fc.array(part, { maxLength: 6 }), fc.array(part, { maxLength: 6 })).map(([one, two]) => [
  { artifactId: 'a', parts: one },
  { artifactId: 'b', parts: two },
]);

describe('what is missing of a snapshot', () => {
  it('makes the snapshot of anything that was received [rule:resume.client-plain-server]', () => {
    fc.assert(
      fc.property(artifacts, artifacts, fc.boolean(), (had, has, joinText) => {
        const collector = folded([begins('working', ...had)], joinText);
        const snapshot = taskWith('completed', ...has);
        for (const event of missingEvents(collector.task, snapshot)) collector.apply(event);
        const { task } = collector;
        expect(task && hasSameArtifacts(task, snapshot)).toBe(true);
        expect(task?.status).toEqual(snapshot.status);
        expect(missingEvents(task, snapshot)).toEqual([]);
      }),
    );
  });

  it('is the end alone where the beginning was received, however texts are cut [rule:resume.client-plain-server]', () => {
    const texts = fc.array(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (beginning, rest, isJoined) => {
        const received = taskWith('working', artifactOf(...beginning));
        const whole = [...beginning, ...rest];
        const snapshot = taskWith('working', isJoined ? artifactOf(whole.join('')) : artifactOf(...whole));
        const events = missingEvents(received, snapshot);
        const given = events.map((event) =>
          event.kind === 'artifact' && event.append ? textOf(event.artifact) : 'ANEW',
        );
        expect(given.join('')).toBe(rest.join(''));
      }),
    );
  });

  it('has the messages that went into the history meanwhile', () => {
    const message = { messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'wait' }] } as const;
    const snapshot = { ...taskWith('completed'), history: [message] };
    expect(brief(missingEvents(taskWith('working'), snapshot))).toEqual(['working', 'completed']);
    expect(missingEvents(snapshot, snapshot)).toEqual([]);
  });

  it('is nothing where only empty texts are missing', () => {
    expect(missingEvents(taskWith('working', artifactOf('', '')), taskWith('working', artifactOf('')))).toEqual([]);
    expect(missingEvents(taskWith('working', artifactOf('a')), taskWith('working', artifactOf('a', '')))).toEqual([]);
  });

  it('is the whole task where nothing was received', () => {
    expect(brief(missingEvents(undefined, taskWith('working')))).toEqual(['task working']);
  });
});
