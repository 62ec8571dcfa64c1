import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArtifactEvent, StatusEvent, TaskEvent } from '../../src/engine/log/events.ts';
import { assertTransition, TaskFold } from '../../src/engine/log/task-fold.ts';
import type { ArtifactBody, TaskHead } from '../../src/engine/ports.ts';
import { json, text } from '../../src/model/parts.ts';
import { TASK_STATES, type TaskState } from '../../src/model/states.ts';
import type { Message, Part } from '../../src/model/task.ts';

const message = (id: string, role: 'user' | 'agent' = 'user'): Message => ({
  messageId: id,
  role,
  parts: [text(id)],
});

const created: TaskEvent = { kind: 'created', seq: 1, time: 1000 };
const said = (seq: number, id: string): TaskEvent => ({ kind: 'message', seq, time: 1000 + seq, message: message(id) });
const status = (seq: number, state: TaskState, id?: string): StatusEvent => ({
  kind: 'status',
  seq,
  time: 1000 + seq,
  status: {
    state,
    message: id === undefined ? undefined : message(id, 'agent'),
    timestamp: new Date(1000 + seq).toISOString(),
  },
  consumed: 2,
});
const chunk = (
  seq: number,
  artifactId: string,
  parts: readonly Part[],
  more: Partial<ArtifactEvent> = {},
): TaskEvent => ({
  kind: 'artifact',
  seq,
  time: 1000 + seq,
  artifact: { artifactId, parts },
  append: true,
  lastChunk: false,
  ...more,
});

function fold(...events: TaskEvent[]): TaskFold {
  const result = new TaskFold('t', 'c');
  for (const event of events) result.apply(event);
  return result;
}

describe('reduce', () => {
  it('starts as submitted with the message in the history', () => {
    expect(fold(created, said(2, 'u1')).snapshot()).toMatchObject({
      id: 't',
      contextId: 'c',
      status: { state: 'submitted', timestamp: '1970-01-01T00:00:01.000Z' },
      history: [{ messageId: 'u1' }],
      artifacts: [],
    });
  });

  it('adds the lists of a note to those before, where the note says so', () => {
    const note = (seq: number, children: readonly string[], isExtension = true): TaskEvent => ({
      kind: 'noted',
      seq,
      time: 1000 + seq,
      metadata: { calls: { children } },
      ...(isExtension && { extends: true }),
    });
    const first = { ...created, metadata: { phase: 'one' } };
    expect(fold(first, note(2, ['a']), note(3, ['b'])).snapshot().metadata).toEqual({
      phase: 'one',
      calls: { children: ['a', 'b'] },
    });
    // Logs of earlier releases have the whole list in each note.
    const older = fold(first, note(2, ['a'], false), note(3, ['a', 'b'], false), note(4, ['c']));
    expect(older.snapshot().metadata).toMatchObject({ calls: { children: ['a', 'b', 'c'] } });
  });

  it('refuses a gap and a repetition', () => {
    expect(() => fold(created, said(3, 'u1'))).toThrow('does not follow');
    expect(() => fold(created, created)).toThrow('does not follow');
  });

  it('puts a status message into the history when the next status replaces it, at the place where it was said', () => {
    const asked = fold(created, said(2, 'u1'), status(3, 'input-required', 'q1'));
    expect(asked.snapshot().history.map((entry) => entry.messageId)).toEqual(['u1']);
    expect(asked.snapshot().status.message?.messageId).toBe('q1');
    asked.apply(said(4, 'u2'));
    expect(asked.snapshot().history.map((entry) => entry.messageId)).toEqual(['u1', 'u2']);
    asked.apply(status(5, 'working'));
    expect(asked.snapshot().history.map((entry) => entry.messageId)).toEqual(['u1', 'q1', 'u2']);
    expect(asked.snapshot().status.message).toBeUndefined();
  });

  it('joins the pieces of a streamed string and nothing else', () => {
    const { artifacts } = fold(
      created,
      chunk(2, 'a', [text('one ')], { append: false }),
      chunk(3, 'a', [text('two ')], { continues: true }),
      chunk(4, 'a', [text('apart')]),
      chunk(5, 'a', [json({ n: 1 })]),
      chunk(6, 'a', [text('after data')], { continues: true }),
    ).snapshot();
    expect(artifacts[0]?.parts).toEqual([text('one two '), text('apart'), json({ n: 1 }), text('after data')]);
  });

  it('replaces an artifact by a chunk that does not append, in its place', () => {
    const { artifacts } = fold(
      created,
      chunk(2, 'a', [text('old')], { append: false }),
      chunk(3, 'b', [text('other')], { append: false }),
      chunk(4, 'a', [text('new')], { append: false }),
    ).snapshot();
    expect(artifacts.map((artifact) => artifact.parts)).toEqual([[text('new')], [text('other')]]);
  });

  it('adds nothing by a closing chunk', () => {
    const closing = { append: true, lastChunk: true, continues: true, closing: true };
    const done = fold(created, chunk(2, 'a', [json(1)], { append: false }), chunk(3, 'a', [text('')], closing));
    expect(done.snapshot().artifacts[0]?.parts).toEqual([json(1)]);
    expect([...done.openArtifacts()]).toEqual([]);
  });

  it('does not change snapshots that were taken', () => {
    const growing = fold(created, chunk(2, 'a', [text('one')], { append: false }));
    const before = growing.snapshot();
    growing.apply(chunk(3, 'a', [text(' two')], { continues: true }));
    growing.apply(said(4, 'u1'));
    expect(before.artifacts[0]?.parts).toEqual([text('one')]);
    expect(before.history).toEqual([]);
  });

  it('refuses every transition that the life of a task does not have, in one place', () => {
    for (const from of TASK_STATES) {
      for (const to of TASK_STATES) {
        const final = ['completed', 'failed', 'canceled', 'rejected'].includes(from);
        const check = () => assertTransition(from, to);
        if (final || to === 'submitted') expect(check).toThrow(`from ${from} to ${to}`);
        else expect(check).not.toThrow();
      }
    }
  });
});

/** Random logs: messages, statuses and chunks of a few artifacts, ended or not. */
const logs = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constant('message' as const) }),
      fc.record({
        kind: fc.constant('status' as const),
        state: fc.constantFrom<TaskState>('working', 'input-required', 'auth-required'),
        speaks: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('artifact' as const),
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        append: fc.boolean(),
        last: fc.boolean(),
        streamed: fc.boolean(),
      }),
    ),
    { maxLength: 60 },
  )
  .map((steps) => {
    const events: TaskEvent[] = [created, said(2, 'u2')];
    const known = new Set<string>();
    for (const step of steps) {
      const seq = events.length + 1;
      if (step.kind === 'message') events.push(said(seq, `u${seq}`));
      if (step.kind === 'status') events.push(status(seq, step.state, step.speaks ? `s${seq}` : undefined));
      if (step.kind === 'artifact') {
        const append = step.append && known.has(step.id);
        const shape = { append, lastChunk: step.last, continues: append && step.streamed };
        events.push(chunk(seq, step.id, [text(`${seq} `)], shape));
        known.add(step.id);
      }
    }
    return events;
  });

/** What a store holds of a log: the head, the bodies of ended artifacts, and the events that these do not cover. */
function stored(events: readonly TaskEvent[]) {
  const full = fold(...events);
  const task = full.snapshot();
  const open = [...full.openArtifacts()];
  const openFrom = open.length === 0 ? 0 : Math.min(...open.map((artifact) => artifact.openedAt));
  const bodies: ArtifactBody[] = [];
  // A body is written whenever an artifact ends; a later one replaces it.
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'artifact' || !event.lastChunk) continue;
    const then = fold(...events.slice(0, index + 1)).snapshot();
    const position = then.artifacts.findIndex((artifact) => artifact.artifactId === event.artifact.artifactId);
    const artifact = then.artifacts[position];
    if (!artifact) throw new Error('unreachable');
    const at = bodies.findIndex((body) => body.position === position);
    bodies.splice(at === -1 ? bodies.length : at, at === -1 ? 0 : 1, { artifact, position, seq: event.seq });
  }
  const head: TaskHead = {
    id: 't',
    contextId: 'c',
    agent: 'agent',
    owner: { tenant: '', subject: '' },
    createdAt: 1000,
    status: task.status,
    statusTime: full.statusTime,
    seq: full.seq,
    lease: { number: 1, node: null },
    consumed: full.consumed,
    asking: full.asking,
    openFrom,
  };
  const rest = events.filter((event) => event.kind !== 'artifact' || (openFrom > 0 && event.seq >= openFrom));
  return { head, bodies, events: rest };
}

describe('restoring from a store', () => {
  it('gives the fold of the whole log, at every point of it, and goes on the same way', () => {
    fc.assert(
      fc.property(logs, fc.nat(), (events, cut) => {
        const at = 2 + (cut % (events.length - 1));
        const restored = TaskFold.restore(stored(events.slice(0, at)));
        expect(restored.snapshot()).toEqual(fold(...events.slice(0, at)).snapshot());
        for (const event of events.slice(at)) restored.apply(event);
        expect(restored.snapshot()).toEqual(fold(...events).snapshot());
      }),
      { numRuns: 500 },
    );
  });
});
