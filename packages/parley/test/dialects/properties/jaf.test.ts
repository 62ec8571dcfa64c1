import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TaskCollector } from '../../../src/client/stream/collect.ts';
import { callJaf } from '../../../src/dialects/jaf/calling/index.ts';
import { jaf } from '../../../src/dialects/jaf/index.ts';
import { AnswerStream } from '../../../src/dialects/jaf/task/events.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/jaf/task/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/jaf/task/parts.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import { isA2AError } from '../../../src/model/errors/errors.ts';
import type { OperationName, SendInput } from '../../../src/model/operations.ts';
import { textOf } from '../../../src/model/parts.ts';
import type { StreamEvent, Task } from '../../../src/model/task.ts';
import { event, jsonValue, message, part, task } from '../support/arbitraries.ts';

/** As the other side sees it: without the members that are undefined. */
function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Which turn an answer is of cannot be told from one task alone; metadata that were empty beside a note are gone. */
function withoutTurns(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner) => {
    if (name === 'messageId' && typeof inner === 'string' && inner.startsWith('resp-')) return 'resp';
    return name === 'metadata' && Object.keys(inner).length === 0 ? undefined : inner;
  });
}

describe('JAF to the wire and back', () => {
  it('keeps parts, of whatever kind (S1.4) (S1.11)', () => {
    fc.assert(
      fc.property(part, (value) => {
        const read = decode(overTheWire(encodePart(value)), readPart);
        deepStrictEqual(overTheWire(read), overTheWire(value));
      }),
    );
  });

  it('keeps messages', () => {
    fc.assert(
      fc.property(message, (value) => {
        deepStrictEqual(overTheWire(decodeMessage(overTheWire(encodeMessage(value)))), overTheWire(value));
      }),
    );
  });

  it('keeps parts of unknown kinds as they came (S1.11)', () => {
    const unknown = fc
      .tuple(fc.string({ minLength: 1 }), fc.dictionary(fc.string(), jsonValue, { maxKeys: 3 }))
      .filter(([kind]) => !['text', 'data', 'file'].includes(kind))
      .map(([kind, more]) => overTheWire({ ...more, kind }));
    fc.assert(
      fc.property(unknown, (value) => {
        deepStrictEqual(overTheWire(encodePart(decode(value, readPart))), value);
      }),
    );
  });

  it('writes tasks that are the same when they are read and written again', () => {
    const input = { tenant: '', id: '' };
    fc.assert(
      fc.property(task, (value) => {
        // Where nothing is said about a failure, its error becomes what is said.
        fc.pre(!['failed', 'rejected'].includes(value.status.state) || value.status.message?.role === 'agent');
        const written = overTheWire(jaf.encode.getTask(value));
        const again = overTheWire(jaf.encode.getTask(callJaf.decodeResult.getTask(written, input)));
        deepStrictEqual(withoutTurns(again), withoutTurns(written));
      }),
    );
  });

  it('answers every send with a completion or an error, never with nothing', () => {
    fc.assert(
      fc.property(fc.oneof(task, message), (value) => {
        const state = 'status' in value ? value.status.state : 'completed';
        try {
          const completion = overTheWire(jaf.encode.sendMessage(value)) as {
            final: boolean;
            message: { parts: unknown[] };
          };
          expect(completion.final).toBe(state === 'completed');
          expect(completion.message.parts.length).toBeGreaterThan(0);
          callJaf.decodeResult.sendMessage({ ...completion, taskId: 't' }, {} as SendInput);
        } catch (error) {
          if (!isA2AError(error)) throw error;
          expect(['failed', 'canceled', 'rejected']).toContain(state);
        }
      }),
    );
  });
});

const ids = { taskId: 'task-1', contextId: 'ctx-1' };
const STARTED: Task = {
  id: 'task-1',
  contextId: 'ctx-1',
  status: { state: 'submitted', timestamp: '2026-01-01T00:00:00.000Z' },
  artifacts: [],
  history: [],
};
const status = (state: 'working' | 'completed'): StreamEvent => ({
  kind: 'status',
  ...ids,
  status: { state, timestamp: '2026-01-01T00:00:00.000Z' },
});

describe('streams of JAF', () => {
  const chunk = fc.record({ text: fc.string({ minLength: 1 }), artifact: fc.constantFrom('a', 'b') });
  const batches = fc.array(fc.array(chunk, { maxLength: 4 }), { maxLength: 6 });

  it('bring the same text however it comes, each partial completion all of it so far (S1.2)', () => {
    fc.assert(
      fc.property(batches, fc.boolean(), (chunks, isSubscription) => {
        const stream = new AnswerStream({ beginsWithTask: isSubscription });
        const read = callJaf.streamDecoder?.() ?? (() => []);
        const collector = new TaskCollector();
        const texts = new Map<string, string>();
        const send = (events: readonly StreamEvent[]) => {
          for (const frame of stream.encode(events)) {
            const result = overTheWire('result' in frame ? frame.result : undefined) as {
              kind: string;
              message?: never;
            };
            if (result.kind === 'partial-completion') {
              expect(textOf(decodeMessage(result.message).parts)).toBe([...texts.values()].join(''));
            }
            for (const one of read(result)) collector.apply(one);
          }
        };
        send([{ kind: 'task', task: STARTED }, status('working')]);
        for (const batch of chunks) {
          const events = batch.map(({ text, artifact }): StreamEvent => {
            const append = texts.has(artifact);
            texts.set(artifact, (texts.get(artifact) ?? '') + text);
            const parts = [{ kind: 'text', text }] as const;
            return { kind: 'artifact', ...ids, artifact: { artifactId: artifact, parts }, append, lastChunk: false };
          });
          send(events);
        }
        send([status('completed')]);
        expect(collector.state).toBe('completed');
        expect(collector.task?.contextId).toBe('ctx-1');
        expect(textOf(collector.task?.artifacts[0]?.parts ?? [])).toBe([...texts.values()].join(''));
      }),
    );
  });

  it('can write any event, and read what was written', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), (events) => {
        const read = callJaf.streamDecoder?.() ?? (() => []);
        for (const frame of new AnswerStream({ beginsWithTask: true }).encode(events)) {
          if ('result' in frame) read(overTheWire(frame.result));
        }
      }),
    );
  });
});

it('reads any JSON or refuses it as invalid params', () => {
  const operations: readonly OperationName[] = [...jaf.methods.values()];
  fc.assert(
    fc.property(fc.constantFrom(...operations), jsonValue, (operation, params) => {
      try {
        jaf.decode[operation](params);
      } catch (error) {
        if (!isA2AError(error) || error.code !== 'INVALID_PARAMS') throw error;
      }
    }),
  );
});
