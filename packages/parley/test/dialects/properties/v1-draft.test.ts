import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAgentCard } from '../../../src/dialects/cards/agent-card.ts';
import { encodeCard } from '../../../src/dialects/v1_draft/card.ts';
import { decodeCursor, encodeCursor } from '../../../src/dialects/v1_draft/cursors.ts';
import { decodeEvent, encodeEvent, snapshotEvents } from '../../../src/dialects/v1_draft/events.ts';
import { v1_draft } from '../../../src/dialects/v1_draft/index.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/v1_draft/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v1_draft/parts.ts';
import { decodeTask, encodeTask } from '../../../src/dialects/v1_draft/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import { isA2AError } from '../../../src/model/errors/errors.ts';
import { OPERATIONS, type OperationName } from '../../../src/model/operations.ts';
import type { Message, Part, StreamEvent, Task } from '../../../src/model/task.ts';
import { card, event, jsonValue, message, part, task } from '../support/arbitraries.ts';

function overTheWire<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

function survives<Value>(
  arbitrary: fc.Arbitrary<Value>,
  encode: (value: Value) => unknown,
  read: (wire: unknown) => unknown,
  kept: (value: Value) => unknown = (value) => value,
): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      deepStrictEqual(overTheWire(read(overTheWire(encode(value)))), overTheWire(kept(value)));
    }),
  );
}

/** Metadata that is empty is lost where a name or a type is put there; nothing else is. */
function keptPart(value: Part): Part {
  const isFile = value.kind === 'bytes' || value.kind === 'link';
  const isMoved = value.filename || (!isFile && value.mediaType);
  if (!isMoved || Object.keys(value.metadata ?? {}).length > 0) return value;
  return { ...value, metadata: undefined };
}

const keptMessage = (value: Message): Message => ({ ...value, parts: value.parts.map(keptPart) });
const keptArtifact = <Value extends { readonly parts: readonly Part[] }>(value: Value): Value => ({
  ...value,
  parts: value.parts.map(keptPart),
});
const keptStatus = (value: Task['status']): Task['status'] => ({
  ...value,
  message: value.message && keptMessage(value.message),
});

function keptTask(value: Task): Task {
  return {
    ...value,
    status: keptStatus(value.status),
    artifacts: value.artifacts.map(keptArtifact),
    history: value.history.map(keptMessage),
  };
}

/** Updates do not name their context, and a stream begins with the head of its task. */
function keptEvent(value: StreamEvent): StreamEvent {
  switch (value.kind) {
    case 'task':
      return { kind: 'task', task: { ...keptTask(value.task), artifacts: [], history: [] } };
    case 'message':
      return { kind: 'message', message: keptMessage(value.message) };
    case 'status':
      return { ...value, contextId: '', status: keptStatus(value.status) };
    case 'artifact':
      return { ...value, contextId: '', artifact: keptArtifact(value.artifact) };
  }
}

/** One version for all interfaces, no tenants. */
function keptCard(value: AgentCard): AgentCard {
  const found: AgentCard['interfaces'][number][] = [];
  for (const { url, protocolBinding } of value.interfaces) {
    const protocolVersion = value.interfaces[0]?.protocolVersion ?? '';
    const written = protocolBinding === 'GRPC' ? 'gRPC' : protocolBinding;
    const entry = { url, protocolBinding: written, protocolVersion };
    if (!found.some((other) => other.url === url && other.protocolBinding === written)) found.push(entry);
  }
  return { ...value, interfaces: found };
}

describe('the draft to the wire and back', () => {
  it('parts (S2.3)', () => survives(part, encodePart, (wire) => decode(wire, readPart), keptPart));
  it('messages', () => survives(message, encodeMessage, decodeMessage, keptMessage));
  it('tasks (S2.4)', () => survives(task, encodeTask, decodeTask, keptTask));
  it('events (S2.7)', () => survives(event, encodeEvent, decodeEvent, keptEvent));
  it('cards (S2.1)', () => survives(card, encodeCard, (wire) => decodeAgentCard(wire).card, keptCard));

  it('a task as it is, in several frames: nothing of its artifacts is missing (S2.7)', () => {
    fc.assert(
      fc.property(task, (value) => {
        const [first, ...others] = snapshotEvents(value).map((one) => decodeEvent(overTheWire(encodeEvent(one))));
        expect(first).toMatchObject({ kind: 'task', task: { id: value.id } });
        const artifacts = others.flatMap((one) => (one.kind === 'artifact' && !one.append ? [one.artifact] : []));
        deepStrictEqual(overTheWire(artifacts), overTheWire(value.artifacts.map(keptArtifact)));
      }),
    );
  });

  it('cursors, whatever the id (S2.9)', () => {
    const position = fc.record({
      statusTime: fc.nat(8_640_000_000_000_000),
      id: fc.string({ minLength: 1, unit: 'binary' }),
    });
    fc.assert(
      fc.property(position, (value) => {
        expect(decodeCursor(encodeCursor(value))).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = decodeCursor(text);
        expect(found === undefined || Number.isSafeInteger(found.statusTime)).toBe(true);
      }),
    );
  });
});

describe('any JSON', () => {
  const memberName = fc.constantFrom(
    ...[
      'message',
      'messageId',
      'role',
      'parts',
      'text',
      'file',
      'data',
      'fileWithUri',
      'fileWithBytes',
      'uri',
      'bytes',
    ],
    ...[
      'id',
      'taskId',
      'contextId',
      'state',
      'cursor',
      'limit',
      'type',
      'status',
      'artifact',
      'artifactId',
      'metadata',
    ],
    ...['pushNotificationConfig', 'configuration', 'append', 'lastChunk', 'timestamp', '__proto__', 'constructor'],
  );
  const { value: lookalike } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      jsonValue,
      fc.constantFrom('user', 'cancelled', 'status', 'artifact', '2026-01-05T10:15:00Z', '', 'aGk=', 1, null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc
      .array(fc.tuple(memberName, tie('value')), { maxLength: 8 })
      .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as unknown),
  }));
  const decoders: readonly ((value: unknown) => unknown)[] = [
    ...(Object.keys(OPERATIONS) as OperationName[]).map((operation) => v1_draft.decode[operation]),
    decodeTask,
    decodeMessage,
    decodeEvent,
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
