import { describe, expect, it } from 'vitest';
import { decodeAgentCard } from '../../../src/dialects/cards/agent-card.ts';
import { callCogitator } from '../../../src/dialects/v0_3/cogitator/calling.ts';
import { encodeCard } from '../../../src/dialects/v0_3/cogitator/card.ts';
import { decodeEvent, encodeEvent } from '../../../src/dialects/v0_3/cogitator/events.ts';
import { cogitator } from '../../../src/dialects/v0_3/cogitator/index.ts';
import { encodeMessage, readReceivedMessage } from '../../../src/dialects/v0_3/cogitator/messages.ts';
import { encodePart, readPart } from '../../../src/dialects/v0_3/cogitator/parts.ts';
import { looksLikeCogitator } from '../../../src/dialects/v0_3/cogitator/requests.ts';
import { encodeTask, readTask } from '../../../src/dialects/v0_3/cogitator/tasks.ts';
import { decode } from '../../../src/dialects/wire/members.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import type { OperationName } from '../../../src/model/operations.ts';
import type { Message, Part, StreamEvent, Task } from '../../../src/model/task.ts';
import { filesOf, foldersOf, type Rejected, type Sample } from '../support/corpus.ts';
import { refusalOf } from '../support/refusals.ts';

interface Handling {
  readonly decode: readonly ((wire: unknown) => unknown)[];
  readonly encode?: (model: unknown) => unknown;
}

const INPUT = { tenant: '', id: 'task_123' };

const HANDLING: Readonly<Record<string, Handling>> = {
  Part: { decode: [(wire) => decode(wire, readPart)], encode: (model) => encodePart(model as Part) },
  Message: {
    decode: [(wire) => decode(wire, readReceivedMessage)],
    encode: (model) => encodeMessage(model as Message),
  },
  Task: {
    decode: [(wire) => decode(wire, readTask), (wire) => callCogitator.decodeResult.getTask(wire, INPUT)],
    encode: (model) => encodeTask(model as Task),
  },
  StreamEvent: {
    decode: [decodeEvent, callCogitator.decodeEvent],
    encode: (model) => encodeEvent(model as StreamEvent),
  },
  AgentCard: { decode: [(wire) => decodeAgentCard(wire).card], encode: (model) => encodeCard(model as AgentCard) },
  SendMessageParams: { decode: [cogitator.decode.sendMessage, cogitator.decode.sendStreamingMessage] },
  GetTaskParams: { decode: [cogitator.decode.getTask] },
  CancelTaskParams: { decode: [cogitator.decode.cancelTask] },
};

describe('the corpus cogitator [seed:S3.10]', () => {
  it('has a way to handle every folder', () => {
    expect(foldersOf('cogitator').filter((folder) => folder !== 'rejected')).toEqual(Object.keys(HANDLING).sort());
  });

  for (const [folder, { decode: readers, encode: write }] of Object.entries(HANDLING)) {
    describe(folder, () => {
      const files = filesOf<Sample>('cogitator', folder);
      it.each(files)('$name is read', ({ content }) => {
        for (const read of readers) expect(read(content.wire)).toEqual(content.model);
      });
      if (write !== undefined) {
        it.each(files)('$name is written', ({ content }) => {
          const written = JSON.stringify(write(content.model), undefined, 2);
          expect(written).toBe(JSON.stringify(content.written ?? content.wire, undefined, 2));
        });
      }
    });
  }

  it.each(filesOf<Rejected>('cogitator', 'rejected'))('$name', ({ content }) => {
    const error = refusalOf(() => cogitator.decode[content.operation as OperationName](content.params));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.violations.map(({ field }) => field)).toEqual(content.violations);
  });
});

describe('requests in the spellings of S3 [seed:S3.10]', () => {
  const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };

  it('get an id for their message where they have none, another each time', () => {
    const ids = [1, 2].map(() => cogitator.decode.sendMessage({ message: hello }).message.messageId);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('stream by two names', () => {
    expect(cogitator.methods.get('message/sendStream')).toBe('sendStreamingMessage');
    expect(cogitator.methods.get('message/stream')).toBe('sendStreamingMessage');
    expect(callCogitator.methodOf.sendStreamingMessage).toBe('message/sendStream');
  });

  it.each([
    ['message/sendStream', undefined, true],
    ['message/send', { message: hello }, true],
    ['message/stream', { message: hello }, true],
    ['message/send', { message: { role: 'user', parts: [{ kind: 'text', text: '' }] } }, false],
    ['message/send', { message: { role: 'user', parts: [{ kind: 'text', type: 'text', text: '' }] } }, false],
    ['message/send', { message: { role: 'user', parts: [] } }, false],
    ['message/send', { message: { role: 'user', parts: [{ text: '' }] } }, false],
    ['message/send', { message: 'hello' }, false],
    ['message/send', undefined, false],
    ['tasks/get', { id: 'task_123' }, false],
  ])('are told apart from those of 0.3: %s %j', (method, params, expected) => {
    expect(looksLikeCogitator(method, params)).toBe(expected);
  });

  it('are written with the configuration of the document', () => {
    const input = cogitator.decode.sendMessage({
      message: { ...hello, messageId: 'm-1' },
      configuration: { timeout: 9 },
    });
    const written = { message: { ...hello, messageId: 'm-1' }, configuration: { blocking: true, timeout: 9 } };
    expect(callCogitator.encodeRequest.sendMessage(input)).toEqual(written);
    expect(cogitator.decode.sendMessage(written)).toEqual(input);
  });
});

describe('answers in the spellings of S3 [seed:S3.10]', () => {
  const reply: Message = { messageId: 'm-2', role: 'agent', parts: [{ kind: 'text', text: 'Hi' }], contextId: 'c-1' };

  it('are tasks, also where the agent has only replied', () => {
    expect(cogitator.encode.sendMessage(reply)).toMatchObject({
      id: 'm-2',
      contextId: 'c-1',
      status: { state: 'completed', timestamp: expect.stringMatching(/Z$/) },
      history: [{ role: 'agent', parts: [{ type: 'text', text: 'Hi' }] }],
      artifacts: [],
    });
    expect(cogitator.encodeEvent({ kind: 'message', message: reply })).toMatchObject({
      kind: 'status-update',
      taskId: 'm-2',
      status: { state: 'completed', message: { parts: [{ type: 'text', text: 'Hi' }] } },
      final: true,
    });
  });

  it('begin a stream with working, and have no state that the document has not', () => {
    const task = (state: Task['status']['state']): StreamEvent => ({
      kind: 'task',
      task: { id: 't', contextId: 'c', status: { state, timestamp: '' }, history: [], artifacts: [] },
    });
    expect(cogitator.encodeEvent(task('submitted'))).toMatchObject({
      type: 'status-update',
      taskId: 't',
      status: { state: 'working' },
      final: false,
    });
    // The stream stays open: the task may go on by itself.
    const waiting = { status: { state: 'input-required' }, final: false };
    expect(cogitator.encodeEvent(task('auth-required'))).toMatchObject(waiting);
  });

  it.each([
    [{ status: { state: 'completed' } }, true],
    [{ status: { state: 'working' } }, false],
    [{ status: { state: 'completed' }, final: false }, false],
    [{ status: { state: 'working' }, final: true }, true],
    [{ artifact: {} }, false],
    ['[DONE]', false],
  ])('tell where a stream ends: %j', (event, expected) => {
    expect(callCogitator.isFinal(event)).toBe(expected);
  });
});
