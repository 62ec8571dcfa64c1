import { describe, expect, it } from 'vitest';
import { decodeAgentCard } from '../../../src/dialects/cards/agent-card.ts';
import { callJaf } from '../../../src/dialects/jaf/calling/index.ts';
import { encodeCard } from '../../../src/dialects/jaf/card.ts';
import { rpcError } from '../../../src/dialects/jaf/errors.ts';
import { jaf } from '../../../src/dialects/jaf/index.ts';
import { AnswerStream } from '../../../src/dialects/jaf/task/events.ts';
import { decodeMessage, encodeMessage } from '../../../src/dialects/jaf/task/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/jaf/task/parts.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import type { WireError } from '../../../src/model/errors/errors.ts';
import type { OperationName, SendInput } from '../../../src/model/operations.ts';
import type { Message, Part, StreamEvent, Task } from '../../../src/model/task.ts';
import { filesOf, foldersOf, type Rejected, type Sample } from '../support/corpus.ts';
import { refusalOf } from '../support/refusals.ts';

interface Handling {
  /** As callers read it, or as the server reads a request. */
  readonly decode: (wire: unknown) => unknown;
  /** From what was read. */
  readonly encode?: (model: unknown) => unknown;
}

const frames = callJaf.streamDecoder as () => (result: unknown) => readonly StreamEvent[];

/** A JAF stream, from the events that a reader of its last frame has. */
function lastFrame(events: readonly StreamEvent[]): unknown {
  const stream = new AnswerStream({ beginsWithTask: false });
  stream.encode([
    { kind: 'status', taskId: 'task-123', contextId: 'ctx-1', status: { state: 'working', timestamp: '' } },
  ]);
  const frame = stream.encode(events).at(-1);
  return frame && 'result' in frame ? frame.result : undefined;
}

const HANDLING: Readonly<Record<string, Handling>> = {
  AgentCard: {
    decode: (wire) => decodeAgentCard(wire, [callJaf]).card,
    encode: (model) => encodeCard(model as AgentCard),
  },
  CancelParams: { decode: jaf.decode.cancelTask, encode: (model) => callJaf.encodeRequest.cancelTask(model as never) },
  CancelResult: {
    decode: (wire) => callJaf.decodeResult.cancelTask(wire, { tenant: '', id: '' }),
    encode: (model) => jaf.encode.cancelTask(model as Task),
  },
  Completion: {
    decode: (wire) => callJaf.decodeResult.sendMessage(wire, {} as SendInput),
    encode: (model) => jaf.encode.sendMessage(model as Task),
  },
  ContextMessage: { decode: decodeMessage },
  Error: {
    decode: (wire) => {
      const { code, message, metadata } = callJaf.decodeError(wire, 'sendMessage');
      return { code, message, metadata };
    },
  },
  Frame: { decode: (wire) => frames()(wire), encode: (model) => lastFrame(model as readonly StreamEvent[]) },
  GetParams: { decode: jaf.decode.getTask, encode: (model) => callJaf.encodeRequest.getTask(model as never) },
  Message: { decode: decodeMessage, encode: (model) => encodeMessage(model as Message) },
  Part: { decode: (wire) => decode(wire, readPart), encode: (model) => encodePart(model as Part) },
  SendParams: {
    decode: jaf.decode.sendMessage,
    encode: (model) => callJaf.encodeRequest.sendMessage(model as SendInput),
  },
  Task: {
    decode: (wire) => callJaf.decodeResult.getTask(wire, { tenant: '', id: '' }),
    encode: (model) => jaf.encode.getTask(model as Task),
  },
};

it('has a way to handle every folder', () => {
  expect(foldersOf('jaf').filter((folder) => folder !== 'rejected')).toEqual(Object.keys(HANDLING).sort());
});

for (const [folder, { decode: read, encode: write }] of Object.entries(HANDLING)) {
  describe(`the document's ${folder} [seed:S1.2] [seed:S1.3] [seed:S1.4]`, () => {
    const files = filesOf<Sample>('jaf', folder);
    it.each(files)('$name is read', ({ content }) => {
      expect(read(content.wire)).toEqual(content.model);
    });
    if (write) {
      it.each(files)('$name is written, byte for byte', ({ content }) => {
        const written = JSON.stringify(write(read(content.wire)), undefined, 2);
        expect(asInDocument(written)).toBe(JSON.stringify(content.written ?? content.wire, undefined, 2));
      });
    }
  });
}

/** An answer's id is made of its task's, and times have milliseconds; the document has others. */
function asInDocument(text: string): string {
  const seconds = text.replaceAll('.000Z', 'Z');
  return seconds.replaceAll(/"resp-(task-123|generated-task-id|task-unique-identifier)-1"/g, '"resp-1"');
}

describe('what is refused (S1.2) (S1.5)', () => {
  it.each(filesOf<Rejected>('jaf', 'rejected'))('$name', ({ content }) => {
    const error = refusalOf(() => jaf.decode[content.operation as OperationName](content.params));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.violations.map(({ field }) => field)).toEqual(content.violations);
    expect(error.violations.filter(({ description }) => !/^(must|is required)/.test(description))).toEqual([]);
  });
});

it('writes the error of the document, with its type as well (S1.6)', () => {
  const format = filesOf<Sample>('jaf', 'Error').find(({ name }) => name.endsWith('format.json'));
  const wire = format?.content.wire as { readonly data: Record<string, unknown> } | undefined;
  const error = { code: 'NOT_FOUND', message: 'x', metadata: { agentName: 'NonExistentAgent' }, violations: [] };
  const { timestamp, requestId, traceId, ...names } = wire?.data ?? {};
  const written = rpcError(error as unknown as WireError, {
    method: undefined,
    operation: undefined,
    requestId: 'request-id',
    time: '2024-03-15T14:30:00Z',
    traceId: 'trace-12345',
    agents: ['MathTutor', 'ChatBot'],
  });
  const expected = { ...names, errorType: 'AgentNotFound', timestamp, requestId, traceId };
  expect(JSON.stringify(written)).toBe(JSON.stringify({ code: -32000, message: 'Agent not found', data: expected }));
});
