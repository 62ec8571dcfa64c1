import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCard, encodeCard } from '../../../src/dialects/v1_0/card.ts';
import { decodeEvent, encodeEvent } from '../../../src/dialects/v1_0/events.ts';
import { v1_0 } from '../../../src/dialects/v1_0/index.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/v1_0/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v1_0/parts.ts';
import { decodeTask, encodeTask } from '../../../src/dialects/v1_0/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import { isA2AError } from '../../../src/model/errors/errors.ts';
import { OPERATIONS, type OperationName } from '../../../src/model/operations.ts';
import { card, event, jsonValue, message, part, task } from '../support/arbitraries.ts';
import { violationsOfV1 } from '../support/closed-schema.ts';
import { SCHEMA_V1 } from '../support/schema-v1.ts';

/** As the other side sees it: without the members that are undefined. */
function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function survives<Value>(
  arbitrary: fc.Arbitrary<Value>,
  encode: (value: Value) => unknown,
  read: (wire: unknown) => Value,
): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      deepStrictEqual(overTheWire(read(overTheWire(encode(value)))), overTheWire(value));
    }),
  );
}

/** Every member name of a written value, opaque content left aside. */
function memberNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(memberNames);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'metadata' || name === 'data' || name === 'params' ? [name] : [name, ...memberNames(inner)],
  );
}

describe('1.0 to the wire and back', () => {
  it('parts', () => survives(part, encodePart, (wire) => decode(wire, readPart)));
  it('messages', () => survives(message, encodeMessage, decodeMessage));
  it('tasks', () => survives(task, encodeTask, decodeTask));
  it('events', () => survives(event, encodeEvent, decodeEvent));
  it('cards', () => survives(card, encodeCard, decodeCard));
});

describe('what 1.0 writes', () => {
  const written: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
    task.map((value) => ['Task', v1_0.encode.getTask(value)] as const),
    event.map((value) => ['StreamResponse', v1_0.encodeEvent(value)] as const),
    card.map((value) => ['AgentCard', v1_0.encodeCard(value)] as const),
    fc.oneof(task, message).map((value) => ['SendMessageResponse', v1_0.encode.sendMessage(value)] as const),
    fc
      .record({
        tasks: fc.array(task, { maxLength: 3 }),
        nextPageToken: fc.string(),
        pageSize: fc.integer({ min: 1, max: 100 }),
        totalSize: fc.nat(),
        includeArtifacts: fc.boolean(),
      })
      .map((page) => ['ListTasksResponse', v1_0.encode.listTasks(page)] as const),
  );

  it('has no member outside the schema [rule:json.nothing-extra]', () => {
    fc.assert(
      fc.property(written, ([type, value]) => {
        expect(violationsOfV1(type, value)).toEqual([]);
      }),
    );
  });

  it('is named in camelCase [rule:json.camel]', () => {
    const camel = /^[a-z][a-zA-Z0-9]*$/;
    expect(
      Object.values(SCHEMA_V1)
        .flatMap((members) => Object.keys(members))
        .filter((name) => name.includes('_')),
    ).toEqual([]);
    fc.assert(
      fc.property(written, ([, value]) => {
        expect(memberNames(overTheWire(value)).filter((name) => !camel.test(name))).toEqual([]);
      }),
    );
  });

  it('has UTC timestamps [rule:json.timestamps]', () => {
    fc.assert(
      fc.property(task, (value) => {
        const wire = v1_0.encode.getTask(value) as { status: { timestamp: string } };
        expect(wire.status.timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
      }),
    );
  });
});

describe('any JSON', () => {
  /** Objects that use the schema's names, so that they get past the first member. */
  const memberName = fc.constantFrom(
    ...new Set(Object.values(SCHEMA_V1).flatMap((members) => Object.keys(members))),
    'message_id',
    'task_id',
    'page_size',
    '__proto__',
    'constructor',
    'toString',
  );
  const { value: lookalike } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      jsonValue,
      fc.constantFrom('ROLE_USER', 'TASK_STATE_WORKING', '2026-01-05T10:15:00Z', '', 'aGk=', 1, '5', null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc
      .array(fc.tuple(memberName, tie('value')), { maxLength: 8 })
      .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as unknown),
  }));
  const decoders: readonly ((value: unknown) => unknown)[] = [
    ...(Object.keys(OPERATIONS) as OperationName[]).map((operation) => v1_0.decode[operation]),
    decodeTask,
    decodeMessage,
    decodeEvent,
    decodeCard,
  ];

  it('is read or refused as invalid params, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue, lookalike), (value) => {
        for (const read of decoders) {
          try {
            read(value);
          } catch (error) {
            if (!isA2AError(error)) throw error;
            expect(error.code).toBe('INVALID_PARAMS');
            expect(error.violations.length).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
