import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCard, encodeCard } from '../../../src/dialects/v0_3/card.ts';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../../src/dialects/v0_3/index.ts';
import * as protoEvents from '../../../src/dialects/v0_3/proto/events.ts';
import * as protoMessages from '../../../src/dialects/v0_3/proto/messages.ts';
import * as protoParts from '../../../src/dialects/v0_3/proto/parts.ts';
import * as protoTasks from '../../../src/dialects/v0_3/proto/tasks.ts';
import { decodeWrappedEvent } from '../../../src/dialects/v0_3/rest/wrapped.ts';
import { decodeEvent } from '../../../src/dialects/v0_3/task/events.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/v0_3/task/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v0_3/task/parts.ts';
import { decodeTask, encodeTask } from '../../../src/dialects/v0_3/task/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import { fileBytes } from '../../../src/dialects/wire/values/file-bytes.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import { isA2AError } from '../../../src/model/errors/errors.ts';
import { OPERATIONS, type OperationName } from '../../../src/model/operations.ts';
import type { Message, Part } from '../../../src/model/task.ts';
import { card, event, jsonValue, message, part, task } from '../support/arbitraries.ts';
import { type Schema, violationsOf } from '../support/closed-schema.ts';
import { lossy } from '../support/losses-v03.ts';
import { SCHEMA_V03, SCHEMA_V03_PROTO } from '../support/schema-v03.ts';

/** As the other side sees it: without the members that are undefined. */
function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function survives<Value>(
  arbitrary: fc.Arbitrary<Value>,
  encode: (value: Value) => unknown,
  read: (wire: unknown) => Value,
  withLosses: (value: Value) => Value,
): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      deepStrictEqual(overTheWire(read(overTheWire(encode(value)))), overTheWire(withLosses(value)));
    }),
  );
}

/** Cards that are reachable in 0.3. */
const reachableCard: fc.Arbitrary<AgentCard> = fc
  .tuple(card, fc.constantFrom('0.3', '1.0'), fc.constantFrom('JSONRPC', 'HTTP+JSON'))
  .map(([value, protocolVersion, protocolBinding]) => {
    const ours = { url: 'https://a.example', protocolBinding, protocolVersion: '0.3' };
    const others = value.interfaces.map((entry) => ({ ...entry, protocolVersion }));
    return { ...value, interfaces: [...others, ours, ours] };
  });

describe('0.3 to the wire and back, but for what it cannot carry', () => {
  it('parts', () => survives(part, encodePart, (wire) => decode(wire, readPart), lossy.part));
  it('messages', () => survives(message, encodeMessage, decodeMessage, lossy.message));
  it('tasks', () => survives(task, encodeTask, decodeTask, lossy.task));
  it('events', () => survives(event, v0_3.encodeEvent, decodeEvent, lossy.event));
  it('events at the root', () => survives(event, v0_3Bare.encodeEvent, decodeEvent, lossy.event));
  it('events in their wrappers', () => survives(event, v0_3Text.encodeEvent, decodeWrappedEvent, lossy.event));
  it('cards', () => survives(reachableCard, encodeCard, decodeCard, lossy.card));
});

describe.each([
  'once',
  'twice',
] as const)('ProtoJSON of 0.3 with files encoded %s, to the wire and back', (encoding) => {
  const files = fileBytes({ read: encoding, write: encoding });
  const tasks = protoTasks.taskWriters(files);
  const readPart = protoParts.partReader(files);
  const writePart = (value: Part) => protoParts.encodePart(value, files);
  const writeMessage = (value: Message) => protoMessages.encodeMessage(value, files);
  const readMessage = (wire: unknown) => protoMessages.decodeMessage(wire, files);
  const readTask = (wire: unknown) => protoTasks.decodeTask(wire, files);
  const readEvent = (wire: unknown) => protoEvents.decodeEvent(wire, files);

  it('parts', () => survives(part, writePart, (wire) => decode(wire, readPart), lossy.part));
  it('messages', () => survives(message, writeMessage, readMessage, lossy.message));
  it('tasks', () => survives(task, tasks.encodeTask, readTask, lossy.task));
  it('events', () => survives(event, protoEvents.eventWriter(files), readEvent, lossy.event));
});

describe('what 0.3 writes', () => {
  const written: fc.Arbitrary<readonly [Schema, string, unknown]> = fc.oneof(
    task.map((value) => [SCHEMA_V03, 'Task', v0_3.encode.getTask(value)] as const),
    event.map((value) => [SCHEMA_V03, 'StreamEvent', v0_3.encodeEvent(value)] as const),
    fc.oneof(task, message).map((value) => [SCHEMA_V03, 'SendResult', v0_3.encode.sendMessage(value)] as const),
    reachableCard.map((value) => [SCHEMA_V03, 'AgentCard', v0_3.encodeCard(value)] as const),
    task.map((value) => [SCHEMA_V03, 'Task', v0_3Text.encode.cancelTask(value)] as const),
    event.map((value) => [SCHEMA_V03, 'Wrapped', v0_3Text.encodeEvent(value)] as const),
    fc.oneof(task, message).map((value) => [SCHEMA_V03, 'Wrapped', v0_3Text.encode.sendMessage(value)] as const),
    task.map((value) => [SCHEMA_V03_PROTO, 'Task', v0_3Proto.encode.getTask(value)] as const),
    event.map((value) => [SCHEMA_V03_PROTO, 'StreamResponse', v0_3Proto.encodeEvent(value)] as const),
    fc
      .oneof(task, message)
      .map((value) => [SCHEMA_V03_PROTO, 'StreamResponse', v0_3Proto.encode.sendMessage(value)] as const),
  );

  it('has no member outside the schema of its form', () => {
    fc.assert(
      fc.property(written, ([schema, type, value]) => {
        expect(violationsOf(schema, type, value)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('has kind as the first member of every object that has one (S0.3) [rule:v03.kind]', () => {
    fc.assert(
      fc.property(fc.oneof(event.map(v0_3.encodeEvent), event.map(v0_3Text.encodeEvent)), (value) => {
        expect(misplacedKinds(overTheWire(value))).toEqual([]);
      }),
    );
  });
});

describe('any JSON', () => {
  /** Objects that use the schema's names, so that they get past the first member. */
  const memberName = fc.constantFrom(
    ...new Set(
      [SCHEMA_V03, SCHEMA_V03_PROTO].flatMap(({ types }) => Object.values(types).flatMap((type) => Object.keys(type))),
    ),
    'configuration',
    'pushNotification',
    'pushNotificationConfigId',
    'config',
    'configId',
    'blocking',
    'historyLength',
    'message_id',
    'task_id',
    '__proto__',
    'constructor',
    'toString',
  );
  const words = [
    'user',
    'ROLE_USER',
    'working',
    'TASK_STATE_WORKING',
    'task',
    'message',
    'status-update',
    'text',
    'file',
  ];
  const { value: lookalike } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      jsonValue,
      fc.constantFrom(...words, 'data', '2026-01-05T10:15:00', '', 'aGk=', 1, '5', null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc
      .array(fc.tuple(memberName, tie('value')), { maxLength: 8 })
      .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as unknown),
  }));
  const operations = (Object.keys(OPERATIONS) as OperationName[]).filter((operation) => operation !== 'listTasks');
  const decoders: readonly ((value: unknown) => unknown)[] = [
    ...[v0_3, v0_3Text, v0_3Proto, v0_3Bare].flatMap((dialect) => operations.map((name) => dialect.decode[name])),
    decodeTask,
    decodeMessage,
    decodeEvent,
    decodeWrappedEvent,
    decodeCard,
    protoTasks.decodeTask,
    protoMessages.decodeMessage,
    protoEvents.decodeEvent,
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

  it('has a form, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue, lookalike), (body) => {
        const form = v0_3.rest.dialectFor({ verb: 'POST', body, place: 'agent' });
        expect([v0_3Text, v0_3Proto]).toContain(form);
        expect(v0_3.rest.dialectFor({ verb: 'POST', body, place: 'root' })).toBe(v0_3Bare);
      }),
    );
  });
});

/** Objects of the protocol, opaque content left aside, whose `kind` is not their first member. */
function misplacedKinds(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(misplacedKinds);
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  const inner = members.flatMap(([name, member]) =>
    name === 'metadata' || name === 'data' ? [] : misplacedKinds(member),
  );
  const misplaced = members.findIndex(([name]) => name === 'kind') > 0;
  return misplaced ? [members.map(([name]) => name), ...inner] : inner;
}
