import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as protoEvents from '../../../src/dialects/v0_3/proto/events.ts';
import * as protoTasks from '../../../src/dialects/v0_3/proto/tasks.ts';
import * as v03Events from '../../../src/dialects/v0_3/task/events.ts';
import * as v03Messages from '../../../src/dialects/v0_3/task/messages.ts';
import * as v03Tasks from '../../../src/dialects/v0_3/task/tasks.ts';
import * as v1Events from '../../../src/dialects/v1_0/events.ts';
import * as v1Messages from '../../../src/dialects/v1_0/messages.ts';
import * as v1Tasks from '../../../src/dialects/v1_0/tasks.ts';
import { fileBytes } from '../../../src/dialects/wire/values/file-bytes.ts';
import { event, message, task } from '../support/arbitraries.ts';
import { filesOf, type Sample } from '../support/corpus.ts';
import { lossy } from '../support/losses-v03.ts';

function wire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** How one version writes and reads a kind of value. */
interface Codec<Value> {
  readonly encode: (value: Value) => unknown;
  readonly decode: (value: unknown) => Value;
}

/** A wire value of one version in the words of another. */
function translate<Value>(value: unknown, from: Codec<Value>, to: Codec<Value>): unknown {
  return wire(to.encode(from.decode(value)));
}

function survives<Value>(
  arbitrary: fc.Arbitrary<Value>,
  newer: Codec<Value>,
  older: Codec<Value>,
  withLosses: (value: Value) => Value,
): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      const sent = wire(newer.encode(withLosses(value)));
      deepStrictEqual(translate(translate(sent, newer, older), older, newer), sent);
      const received = wire(older.encode(value));
      deepStrictEqual(translate(translate(received, older, newer), newer, older), received);
    }),
  );
}

const v1Task: Codec<Parameters<typeof v1Tasks.encodeTask>[0]> = {
  encode: v1Tasks.encodeTask,
  decode: v1Tasks.decodeTask,
};
const v03Task = { encode: v03Tasks.encodeTask, decode: v03Tasks.decodeTask };
const TWICE = fileBytes({ read: 'twice', write: 'twice' });
const protoTask = {
  encode: protoTasks.taskWriters(TWICE).encodeTask,
  decode: (wire: unknown) => protoTasks.decodeTask(wire, TWICE),
};
const v1Event = { encode: v1Events.encodeEvent, decode: v1Events.decodeEvent };
const v03Event = { encode: v03Events.encodeEvent, decode: v03Events.decodeEvent };
const protoEvent = {
  encode: protoEvents.eventWriter(TWICE),
  decode: (wire: unknown) => protoEvents.decodeEvent(wire, TWICE),
};
const v1Message = { encode: v1Messages.encodeMessage, decode: v1Messages.decodeMessage };
const v03Message = { encode: v03Messages.encodeMessage, decode: v03Messages.decodeMessage };

describe('what both versions can express survives translation there and back', () => {
  it('messages [rule:v03.round-trip]', () => survives(message, v1Message, v03Message, lossy.message));
  it('tasks [rule:v03.round-trip]', () => survives(task, v1Task, v03Task, lossy.task));
  it('events [rule:v03.round-trip]', () => survives(event, v1Event, v03Event, lossy.event));
  it('tasks in ProtoJSON [rule:v03.round-trip]', () => survives(task, v1Task, protoTask, lossy.task));
  it('events in ProtoJSON [rule:v03.round-trip]', () => survives(event, v1Event, protoEvent, lossy.event));

  it.each(
    filesOf<Sample>('v0_3', 'StreamEvent').filter(({ name }) => name.includes('/s')),
  )('$name of the documents [rule:v03.round-trip]', ({ content }) => {
    const written = content.written ?? content.wire;
    const newer = translate(written, v03Event, v1Event);
    expect(translate(newer, v1Event, v03Event)).toEqual(written);
  });
});
