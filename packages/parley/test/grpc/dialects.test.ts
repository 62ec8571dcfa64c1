import { deepStrictEqual } from 'node:assert/strict';
import type { DescMessage } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readMessage } from '../../src/bindings/grpc/codec/read.ts';
import { writeMessage } from '../../src/bindings/grpc/codec/write.ts';
import { AgentCardSchema, StreamResponseSchema, TaskSchema } from '../../src/bindings/grpc/gen/a2a/v1/a2a_pb.ts';
import {
  StreamResponseSchema as StreamResponseV0_3,
  TaskSchema as TaskV0_3,
} from '../../src/bindings/grpc/gen/a2a_v03_pb.ts';
import { decodeEvent as decodeEventV0_3, eventWriter } from '../../src/dialects/v0_3/proto/events.ts';
import { decodeTask as decodeTaskV0_3, taskWriters } from '../../src/dialects/v0_3/proto/tasks.ts';
import { decodeCard, encodeCard } from '../../src/dialects/v1_0/card.ts';
import { decodeEvent, encodeEvent } from '../../src/dialects/v1_0/events.ts';
import { decodeTask, encodeTask } from '../../src/dialects/v1_0/tasks.ts';
import { card, event, task } from '../dialects/support/arbitraries.ts';
import { countOf } from '../support/full.ts';

const RUNS = { numRuns: countOf(60, 2000) };

/** What the JSON of a dialect says is still there after the wire: what was read of it, before and after, is the same. */
function survives<Value>(
  arbitrary: fc.Arbitrary<Value>,
  message: DescMessage,
  encode: (value: Value) => unknown,
  decode: (wire: unknown) => unknown,
): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      const json: unknown = JSON.parse(JSON.stringify(encode(value)));
      const received = readMessage(message, writeMessage(message, json));
      deepStrictEqual(plain(decode(received)), plain(decode(json)));
    }),
    RUNS,
  );
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The messages of 0.3 have no place for references to other tasks (reference: v03 §9). */
function withoutReferences(read: (wire: unknown) => unknown): (wire: unknown) => unknown {
  const leaveOut = (name: string, value: unknown) => (name === 'referenceTaskIds' ? undefined : value);
  return (wire) => JSON.parse(JSON.stringify(read(wire), leaveOut));
}

describe('the JSON of dialects over the wire and back', () => {
  it('1.0: tasks', () => survives(task, TaskSchema, encodeTask, decodeTask));
  it('1.0: events', () => survives(event, StreamResponseSchema, encodeEvent, decodeEvent));
  it('1.0: cards', () => survives(card, AgentCardSchema, encodeCard, decodeCard));
  it('0.3: tasks', () => survives(task, TaskV0_3, taskWriters().encodeTask, withoutReferences(decodeTaskV0_3)));
  it('0.3: events', () => survives(event, StreamResponseV0_3, eventWriter(), withoutReferences(decodeEventV0_3)));
});
