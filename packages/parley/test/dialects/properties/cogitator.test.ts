import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAgentCard } from '../../../src/dialects/cards/agent-card.ts';
import { callCogitator } from '../../../src/dialects/v0_3/cogitator/calling.ts';
import { cogitator } from '../../../src/dialects/v0_3/cogitator/index.ts';
import { encodeMessage, readReceivedMessage } from '../../../src/dialects/v0_3/cogitator/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v0_3/cogitator/parts.ts';
import { looksLikeCogitator } from '../../../src/dialects/v0_3/cogitator/requests.ts';
import { encodeTask, readTask } from '../../../src/dialects/v0_3/cogitator/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import { isA2AError } from '../../../src/model/errors/errors.ts';
import { OPERATIONS, type OperationName } from '../../../src/model/operations.ts';
import { isTerminal } from '../../../src/model/states.ts';
import type { Artifact, Message, Part, StreamEvent, Task, TaskStatus } from '../../../src/model/task.ts';
import { card, event, jsonValue, message, part, task } from '../support/arbitraries.ts';

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function survives<Value>(
  arbitrary: fc.Arbitrary<Value>,
  encode: (value: Value) => unknown,
  read: (wire: unknown) => Value,
  withLosses: (value: Value) => unknown,
): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      deepStrictEqual(overTheWire(read(overTheWire(encode(value)))), overTheWire(withLosses(value)));
    }),
  );
}

/** What the document cannot carry: the type and name of a text, the name of data, two of the states. */
const lossy = {
  part: (value: Part): Part => {
    if (value.kind === 'bytes' || value.kind === 'link') return value;
    const { filename: _, ...rest } = value;
    if (rest.kind === 'text') return { ...rest, mediaType: undefined };
    const isObject = typeof rest.data === 'object' && rest.data !== null && !Array.isArray(rest.data);
    const metadata = isObject || Object.keys(rest.metadata ?? {}).length > 0 ? rest.metadata : undefined;
    return { ...rest, mediaType: rest.mediaType ?? 'application/json', metadata };
  },
  message: (value: Message): Message => ({ ...value, parts: value.parts.map(lossy.part) }),
  /** One type of all parts is kept, though a text alone could not say it. */
  artifact: (value: Artifact): Artifact => {
    const [first] = value.parts;
    const isShared = value.parts.every(({ mediaType }) => mediaType === first?.mediaType);
    const parts = value.parts.map((one) =>
      isShared && one.kind === 'text' ? { ...lossy.part(one), mediaType: one.mediaType } : lossy.part(one),
    );
    return { ...value, parts };
  },
  status: ({ state, message: said, timestamp }: TaskStatus): TaskStatus => {
    const shown = state === 'submitted' ? 'working' : state === 'auth-required' ? 'input-required' : state;
    return { state: shown, timestamp, message: said && lossy.message(said) };
  },
  task: (value: Task): Task => ({
    ...value,
    status: lossy.status(value.status),
    history: value.history.map(lossy.message),
    artifacts: value.artifacts.map(lossy.artifact),
  }),
  event: (value: StreamEvent): unknown => {
    switch (value.kind) {
      case 'artifact':
        return { ...value, artifact: lossy.artifact(value.artifact) };
      case 'status':
        return { ...value, status: lossy.status(value.status) };
      case 'task': {
        const { id: taskId, contextId, status, metadata, artifacts } = value.task;
        if (artifacts.length > 0) return { kind: 'task', task: lossy.task(value.task) };
        return { kind: 'status', taskId, contextId, status: lossy.status(status), metadata };
      }
      case 'message':
        return undefined;
    }
  },
};

/** A history whose last message has the id of the final one is a coincidence that cannot be told from a repetition. */
const isPlain = ({ status, history }: Task) =>
  !isTerminal(status.state) || status.message?.messageId !== history.at(-1)?.messageId;

const plainTask = task.filter(isPlain);
const plainEvent = event.filter((value) => value.kind !== 'message' && (value.kind !== 'task' || isPlain(value.task)));

describe('the spellings of S3 to the wire and back, but for what they cannot carry [seed:S3.10]', () => {
  it('parts', () => survives(part, encodePart, (wire) => decode(wire, readPart), lossy.part));
  it('messages', () => survives(message, encodeMessage, (wire) => decode(wire, readReceivedMessage), lossy.message));
  it('tasks', () => survives(plainTask, encodeTask, (wire) => decode(wire, readTask), lossy.task));
  it('events', () => survives<StreamEvent>(plainEvent, cogitator.encodeEvent, callCogitator.decodeEvent, lossy.event));

  it('requests, written by the calling half and read by the serving one', () => {
    const input = fc.record({
      message,
      timeout: fc.option(fc.nat(), { nil: undefined }),
      historyLength: fc.option(fc.nat({ max: 1000 }), { nil: undefined }),
      returnImmediately: fc.boolean(),
    });
    fc.assert(
      fc.property(input, (value) => {
        const sent = { asTask: true, tenant: '', acceptedOutputModes: [], ...value };
        const wire = overTheWire(callCogitator.encodeRequest.sendMessage(sent));
        const read = cogitator.decode.sendMessage(wire);
        deepStrictEqual(overTheWire(read), overTheWire({ ...sent, message: lossy.message(value.message) }));
        expect(looksLikeCogitator('message/send', wire)).toBe(true);
      }),
    );
  });

  it('cards: name, address, skills and provider', () => {
    fc.assert(
      fc.property(card, (value) => {
        const ours = { url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '0.3' };
        const read = decodeAgentCard(overTheWire(cogitator.encodeCard({ ...value, interfaces: [ours] }))).card;
        expect(read).toMatchObject({ name: value.name, version: '0.3', interfaces: [ours] });
        expect(read.skills.map(({ id, name, description }) => [id, name, description])).toEqual(
          value.skills.map(({ id, name, description }) => [id, name, description]),
        );
        expect(read.provider?.organization).toBe(value.provider?.organization);
      }),
    );
  });
});

describe('any JSON', () => {
  const names = [
    'type',
    'kind',
    'parts',
    'role',
    'message',
    'status',
    'state',
    'artifact',
    'artifacts',
    'history',
    'id',
  ];
  const words = [
    'text',
    'file',
    'data',
    'user',
    'agent',
    'working',
    'completed',
    'status-update',
    'artifact-update',
    '',
  ];
  const { value: lookalike } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      jsonValue,
      fc.constantFrom(...words, null, 1, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(fc.tuple(fc.constantFrom(...names, 'uri', 'bytes', 'mimeType', 'taskId'), tie('value')), {
          maxLength: 6,
        })
        .map((members) => overTheWire(Object.fromEntries(members))),
    ),
  }));
  const operations = (Object.keys(OPERATIONS) as OperationName[]).filter((operation) => operation !== 'listTasks');

  it('is read or refused with an A2AError, whatever it is', () => {
    const readers: readonly ((value: unknown) => unknown)[] = [
      ...operations.map((name) => cogitator.decode[name]),
      callCogitator.decodeEvent,
      (value) => callCogitator.decodeResult.getTask(value, { tenant: '', id: '' }),
      (value) => callCogitator.isFinal(value),
      (value) => looksLikeCogitator('message/send', value),
    ];
    fc.assert(
      fc.property(lookalike, (value) => {
        for (const read of readers) {
          try {
            read(value);
          } catch (error) {
            if (!isA2AError(error)) throw error;
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
